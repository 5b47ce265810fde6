import type { Message } from '@carillon/sdk'
import { setTimeout as wait } from 'node:timers/promises'
import { callHelp, callOptions, textOf, type Command } from '../command.ts'
import { connect } from '../connect.ts'

const readEveryMs = 2000
/** Messages whose status may still change are followed among so many of the newest. */
const followed = 100

export const tail: Command = {
  summary: 'Print messages as their status changes',
  help: `Usage: carillon tail [--reference TEXT] [--to NUMBER]

Prints the newest messages, then each new message and each change of a status, until Ctrl+C. Follows the newest ${followed}.

Options:
  --reference TEXT    Only messages with this reference
  --to NUMBER         Only messages to this number
  --once              Print the present state, and end
${callHelp}`,
  options: { ...callOptions, reference: { type: 'string' }, to: { type: 'string' }, once: { type: 'boolean' } },
  async run(terminal, input) {
    const { carillon } = connect(terminal, input)
    const query = { limit: followed, reference: textOf(input, 'reference'), to: textOf(input, 'to') }
    const known = new Map<string, string>()
    while (!terminal.signal.aborted) {
      const { messages } = await carillon.messages.list(query, { signal: terminal.signal }).page()
      for (const message of messages.toReversed()) {
        if (known.get(message.id) === message.status) continue
        known.set(message.id, message.status)
        terminal.out(input.values['json'] ? JSON.stringify(message) : describe(message))
      }
      if (input.values['once']) return
      await wait(readEveryMs, undefined, { signal: terminal.signal })
    }
  },
}

function describe({
  id,
  status,
  channel,
  to = '',
  text,
  reason,
  readAt,
  deliveredAt,
  failedAt,
  sentAt,
  createdAt,
}: Message): string {
  const at = readAt ?? failedAt ?? deliveredAt ?? sentAt ?? createdAt
  const line = text.replaceAll(/\s+/g, ' ').slice(0, 60)
  return `${at}  ${status.padEnd(11)}  ${channel.padEnd(8)}  ${to.padEnd(14)}  ${id}  ${reason ? `(${reason}) ` : ''}${line}`
}
