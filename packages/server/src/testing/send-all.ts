import type { OutboundMessage, SendOutcome, Session } from '../channels/provider.ts'

/** Sends a batch and resolves with all outcomes, in the order of the messages. */
export function sendAll<Message extends OutboundMessage>(
  session: Session<Message>,
  batch: readonly Message[],
): Promise<SendOutcome[]> {
  const outcomes: SendOutcome[] = Array.from({ length: batch.length })
  let open = batch.length
  return new Promise((resolve) => {
    if (open === 0) resolve(outcomes)
    session.send(batch, (index, outcome) => {
      outcomes[index] = outcome
      open -= 1
      if (open === 0) resolve(outcomes)
    })
  })
}
