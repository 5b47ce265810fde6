import type { Clock } from '../../../lib/clock.ts'
import type { Egress } from '../../../egress/egress.ts'
import type { SessionState } from '../../provider.ts'
import { readBindRefusal } from './codes.ts'
import type { SmppConfig } from './config.ts'
import { closeGraceMs, openLink, type BindKind, type Link, type LinkHooks, type Submit } from './link.ts'

export type BindState = SessionState['binds'][number]

export type BindOptions<S extends Submit> = {
  name: string
  kind: BindKind
  config: SmppConfig
  clock: Clock
  egress: Pick<Egress, 'connect'>
  hooks: Pick<LinkHooks<S>, 'onAnswer' | 'onRoom' | 'onDelivered'> & {
    onState(): void
    onTrouble(message: string, code: string): void
    onLost(submits: S[], reason: string): void
  }
}

/** A persistent bind: reconnects after every disconnect until it is closed. */
export type Bind<S extends Submit> = {
  state(): BindState
  /** Bound, and can submit. */
  carriesSubmits(): boolean
  /** Free places in the window. */
  room(): number
  submit(submit: S): void
  /** Submits nothing more on this connection, waits for its responses, and opens the next one. */
  reopen(reason: string): void
  close(graceMs: number): Promise<void>
}

/** The host as egress rules name it. */
const forbiddenAddress = 'EGRESS_REFUSED'
const firstDelayMs = 1_000
const longestDelayMs = 60_000
/** After a bind has lasted this long, the reconnect delay starts from its first value again. */
const stableBindMs = 5_000

export function createBind<S extends Submit>(options: BindOptions<S>): Bind<S> {
  const { name, kind, config, clock, hooks } = options
  let link: Link<S>
  let status: BindState['status'] = 'connecting'
  let since = clock.now()
  let failures = 0
  let boundAt = 0
  let isWanted = true
  let timer: NodeJS.Timeout | undefined

  function become(next: BindState['status']) {
    status = next
    since = clock.now()
    hooks.onState()
  }

  function open() {
    if (status !== 'connecting') become('connecting')
    link = openLink({
      ...options,
      hooks: {
        ...hooks,
        onBound() {
          boundAt = performance.now()
          become('bound')
          hooks.onRoom()
        },
        onUnanswered: (submits) => hooks.onLost(submits, 'The operator did not respond to the message in time'),
        onLeaving: () => become('closed'),
        onRefused(code) {
          const refusal = readBindRefusal(code)
          hooks.onTrouble(refusal.message, refusal.code)
          if (refusal.final) become('refused')
        },
        onForbidden(words) {
          hooks.onTrouble(words, forbiddenAddress)
          become('refused')
        },
        onClosed(reason, submits) {
          const wasGood = boundAt > 0 && performance.now() - boundAt > stableBindMs
          boundAt = 0
          if (status !== 'refused' && status !== 'closed') become('closed')
          if (isWanted && status !== 'refused') hooks.onTrouble(reason, 'connection_lost')
          hooks.onLost(submits, reason)
          if (isWanted) timer = setTimeout(open, delayMs(wasGood))
        },
      },
    })
  }

  /** Doubles from a second to a minute; half of it is random, so that many clients do not reconnect at the same time. */
  function delayMs(wasGood: boolean): number {
    failures = wasGood ? 1 : failures + 1
    const fullMs = status === 'refused' ? longestDelayMs : Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1))
    return fullMs * (0.5 + Math.random() / 2)
  }

  function carriesSubmits(): boolean {
    return status === 'bound' && kind !== 'receiver'
  }

  open()
  return {
    state: () => ({ name, status, since, inFlight: link.inFlight() }),
    carriesSubmits,
    room: () => (carriesSubmits() ? config.window - link.inFlight() : 0),
    submit: (submit) => link.submit(submit),
    reopen(reason) {
      if (status === 'bound')
        link.unbind(closeGraceMs, reason).catch((error: unknown) => hooks.onTrouble(String(error), 'connection_lost'))
    },
    async close(graceMs) {
      isWanted = false
      clearTimeout(timer)
      await link.unbind(graceMs, 'Switched off')
    },
  }
}
