import type { NewMessage } from '@carillon/sdk'
import { callHelp, callOptions, textOf, UsageError, type Command, type Input } from '../command.ts'
import { connect } from '../connect.ts'

export const send: Command = {
  summary: 'Send one message',
  help: `Usage: carillon send --to NUMBER (--text TEXT | --template NAME [--value NAME=VALUE]…)

Sends one message. With a test key it goes to the sandbox, which costs nothing and reaches no phone.

Options:
  --to NUMBER              With country code, such as +919812345678
  --text TEXT              The text
  --template NAME          Name of a template, in place of a text
  --value NAME=VALUE       A value of the template; repeat for each
  --language CODE          Language of the template
  --channel CHANNEL        Default: that of the sender or the template
  --from SENDER            Name, number or header of a sender
  --reference TEXT         Your own id of the message
  --idempotency-key KEY    Repeats with the same key send once
  --dry-run                Only check the message and what it would cost
${callHelp}`,
  options: {
    ...callOptions,
    to: { type: 'string' },
    text: { type: 'string' },
    template: { type: 'string' },
    value: { type: 'string', multiple: true },
    language: { type: 'string' },
    channel: { type: 'string' },
    from: { type: 'string' },
    reference: { type: 'string' },
    'idempotency-key': { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  async run(terminal, input) {
    const message = readMessage(input)
    const { carillon } = connect(terminal, input)
    const { signal } = terminal
    if (input.values['dry-run']) {
      const checked = await carillon.messages.check(message, { signal })
      if (input.values['json']) return terminal.out(JSON.stringify(checked))
      return terminal.out(
        `Would be sent to ${checked.to} by ${checked.channel}, ${checked.parts} parts, ₹${checked.cost}`,
      )
    }
    const sent = await carillon.messages.send(message, { signal, idempotencyKey: textOf(input, 'idempotency-key') })
    if (input.values['json']) return terminal.out(JSON.stringify(sent))
    terminal.out(`${sent.id}  ${sent.status}  ${sent.channel}  ${sent.to}  ₹${sent.cost}`)
  },
}

function readMessage(input: Input): NewMessage {
  const [to, text, template] = ['to', 'text', 'template'].map((name) => textOf(input, name))
  if (!to) throw new UsageError('Give the number: --to +919812345678')
  if ((text === undefined) === (template === undefined)) throw new UsageError('Give either --text or --template')
  const given = {
    from: textOf(input, 'from'),
    reference: textOf(input, 'reference'),
    // The server knows the channels, and names them if this is another.
    channel: textOf(input, 'channel') as NewMessage['channel'],
  }
  if (text !== undefined) return { to, text, ...given }
  return { to, ...given, template: { name: template, language: textOf(input, 'language'), values: readValues(input) } }
}

function readValues({ values }: Input): Record<string, string> {
  const given: unknown = values['value'] ?? []
  const pairs = Array.isArray(given) ? given.map(String) : []
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new UsageError(`--value ${pair} has to be NAME=VALUE`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}
