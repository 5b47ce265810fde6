import type { ProviderIo, SendOutcome, Session, SessionState } from '../../provider.ts'
import type { SmsMessage } from '../message.ts'
import { openCarriers } from './carriers.ts'
import type { SmppConfig } from './config.ts'
import { createDeliveries } from './deliveries.ts'
import { firstPart, notConnected } from './outgoing.ts'
import { createSubmitEncoder } from './submit.ts'

export function openSession(config: SmppConfig, io: ProviderIo): Session<SmsMessage> {
  const deliveries = createDeliveries({ config, io })
  const encode = createSubmitEncoder(config)
  let isClosing = false
  // Told in a later turn: the first change comes while the session is still being made.
  const carriers = openCarriers({
    config,
    io,
    deliveries,
    onState: () => queueMicrotask(() => io.onState(state())),
  })

  function state(): SessionState {
    return { ready: !isClosing && carriers.isConnected(), ...carriers.state() }
  }

  function refuseAll(batch: readonly SmsMessage[]): SendOutcome[] {
    const detail = carriers.state().lastError?.message ?? 'There is no connection to the operator'
    return batch.map(() => notConnected(detail))
  }

  return {
    state,
    window: config.window * config.sessions,
    async send(batch) {
      if (batch.length === 0) return []
      if (isClosing || !carriers.isConnected()) return refuseAll(batch)

      const { outcomes, settle, settled } = createOutcomes(batch.length)
      const now = io.clock.now()
      for (const [index, message] of batch.entries()) {
        const submits = encode(message, now)
        if (submits.kind === 'impossible') settle(index, submits.outcome)
        else
          carriers.add(
            firstPart({
              frames: submits.frames,
              messageIds: [],
              isSettled: false,
              settle: (outcome) => settle(index, outcome),
            }),
          )
      }
      carriers.pump()
      await settled
      return outcomes
    },
    async close(graceMs) {
      isClosing = true
      await carriers.close(graceMs)
    },
  }
}

/** A place for each message; settled when the last is filled. */
function createOutcomes(count: number) {
  const { promise: settled, resolve } = Promise.withResolvers<void>()
  const outcomes: SendOutcome[] = Array.from({ length: count })
  let open = count
  function settle(index: number, outcome: SendOutcome) {
    outcomes[index] = outcome
    open -= 1
    if (open === 0) resolve()
  }
  return { outcomes, settle, settled }
}
