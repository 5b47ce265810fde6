import type { ProviderIo, SessionState } from '../../provider.ts'
import { createBind, type Bind } from './bind.ts'
import { notBound } from './codes.ts'
import type { SmppConfig } from './config.ts'
import type { Deliveries } from './deliveries.ts'
import type { BindKind } from './link.ts'
import { submittedId } from './message-ids.ts'
import { handleAccepted, handleLost, handleRejected, handleUnsent, type NextStep, type PartSubmit } from './outgoing.ts'
import { createQueue } from './queue.ts'

/** The binds of a session and the queue of submits that wait for a place in their windows. */
export type Carriers = {
  /** Queues submits; nothing is sent before `pump`. */
  add(submit: PartSubmit): void
  pump(): void
  /** At least one bind can submit. */
  isConnected(): boolean
  state(): Omit<SessionState, 'ready'>
  close(graceMs: number): Promise<void>
}

const kindsByMode: Record<SmppConfig['bindMode'], readonly { kind: BindKind; short: string }[]> = {
  transceiver: [{ kind: 'transceiver', short: 'trx' }],
  'transmitter-and-receiver': [
    { kind: 'transmitter', short: 'tx' },
    { kind: 'receiver', short: 'rx' },
  ],
}
const noConnection = 'There is no connection to the operator'

export type CarrierOptions = {
  config: SmppConfig
  io: Pick<ProviderIo, 'clock' | 'egress'>
  deliveries: Deliveries
  onState(): void
}

export function openCarriers({ config, io, deliveries, onState }: CarrierOptions): Carriers {
  const queue = createQueue<PartSubmit>()
  let lastError: SessionState['lastError']

  function open(kind: BindKind, name: string): Bind<PartSubmit> {
    const bind: Bind<PartSubmit> = createBind<PartSubmit>({
      name,
      kind,
      config,
      clock: io.clock,
      egress: io.egress,
      hooks: {
        onAnswer(submit, { status, messageId }) {
          if (status === 0) return act(handleAccepted(submit, submittedId(messageId)))
          act(handleRejected(submit, status, config.vendorErrors))
          if (status === notBound) bind.reopen('The operator reports that the bind was lost')
        },
        onRoom: pump,
        onDelivered: deliveries.take,
        onLost(submits, reason) {
          for (const submit of submits) act(handleLost(submit, reason))
          pump()
        },
        onTrouble(message, code) {
          lastError = { message, code, at: io.clock.now() }
          onState()
        },
        onState,
      },
    })
    return bind
  }

  const binds = namesOf(config).map(({ kind, name }) => open(kind, name))

  function isConnected(): boolean {
    return binds.some((bind) => bind.carriesSubmits())
  }

  function act(step: NextStep) {
    if (step.kind === 'none') return
    if (step.afterMs === 0) return queue.addFirst(step.submits)
    setTimeout(() => {
      queue.addFirst(step.submits)
      pump()
    }, step.afterMs)
  }

  /** Fills the windows of all binds evenly; without a bind nothing stays queued. */
  function pump() {
    if (!isConnected()) return strand()
    let free = binds.filter((bind) => bind.room() > 0)
    while (free.length > 0 && queue.size() > 0) {
      for (const bind of free) {
        const submit = queue.take()
        if (submit) bind.submit(submit)
      }
      free = free.filter((bind) => bind.room() > 0)
    }
  }

  function strand() {
    for (const submit of queue.takeAll()) handleUnsent(submit, lastError?.message ?? noConnection)
  }

  /** Messages that have not started are withdrawn; a message whose first part was sent is completed. */
  async function finish(until: number) {
    const waiting = queue.takeAll()
    for (const submit of waiting.filter(({ part }) => part === 0))
      handleUnsent(submit, 'The account is being switched off')
    queue.addFirst(waiting.filter(({ part }) => part > 0))
    pump()
    while (isConnected() && binds.some((bind) => bind.state().inFlight > 0) && performance.now() < until)
      await delay(10)
  }

  return {
    add: queue.add,
    pump,
    isConnected,
    state: () => ({ binds: binds.map((bind) => bind.state()), lastError }),
    async close(graceMs) {
      const until = performance.now() + graceMs
      await finish(until)
      deliveries.close()
      await Promise.all(binds.map((bind) => bind.close(Math.max(0, until - performance.now()))))
      strand()
    },
  }
}

function namesOf({ sessions, bindMode }: SmppConfig): { kind: BindKind; name: string }[] {
  return Array.from({ length: sessions }, (_, index) =>
    kindsByMode[bindMode].map(({ kind, short }) => ({ kind, name: `${short}-${index + 1}` })),
  ).flat()
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
