import type { NewMessage } from '@carillon/sdk'
import { callHelp, callOptions, CommandError, textOf, UsageError, type Command, type Input } from '../command.ts'
import { connect, isTestKey } from '../connect.ts'
import { readListener } from '../login-file.ts'
import { requireListener } from './listen.ts'

/** Numbers of the sandbox, whose messages have these events. */
const sandboxNumbers: Readonly<Record<string, string>> = {
  'message.sent': '+919999900004',
  'message.delivered': '+919999900000',
  'message.read': '+919999900008',
  'message.failed': '+919999900001',
  'message.expired': '+919999900002',
  'message.inbound': '+919999900009',
}

const types = ['endpoint.test', ...Object.keys(sandboxNumbers)]

export const trigger: Command = {
  summary: 'Make an event occur, to try a receiver',
  help: `Usage: carillon trigger TYPE [--listener ID | --endpoint ID]

  endpoint.test         Sent to the listener that runs on this machine, or to a listener or webhook endpoint of yours
  message.…             Sends a message to a number of the sandbox with these events; needs a test key. Every listener and endpoint
                        for test events gets them

Types: ${types.join(', ')}

Options:
  --listener ID     With endpoint.test: another listener
  --endpoint ID     With endpoint.test: a webhook endpoint
  --channel NAME    With message.…: needed if you have senders of several channels
  --from SENDER     With message.…: needed if you have several senders
${callHelp}`,
  options: {
    ...callOptions,
    listener: { type: 'string' },
    endpoint: { type: 'string' },
    channel: { type: 'string' },
    from: { type: 'string' },
  },
  takesWords: true,
  async run(terminal, input) {
    const [type, ...rest] = input.positionals
    if (!type || !types.includes(type) || rest.length > 0) throw new UsageError(`Name one type: ${types.join(', ')}`)
    const { carillon, key } = connect(terminal, input)
    const { signal } = terminal
    const print = (result: object, line: string) => terminal.out(input.values['json'] ? JSON.stringify(result) : line)
    const to = sandboxNumbers[type]
    if (to !== undefined) {
      if (!isTestKey(key)) throw new CommandError('Events of messages are triggered with a test key: this key is live')
      const message = await carillon.messages.send({ to, text: `Triggered ${type}`, ...senderOf(input) }, { signal })
      return print(message, `Sent ${message.id} to ${to} of the sandbox`)
    }
    const endpoint = textOf(input, 'endpoint')
    if (endpoint !== undefined) {
      const delivery = await carillon.webhookEndpoints.test(endpoint, { signal })
      return print(delivery, `Sent ${delivery.webhookId} to the endpoint`)
    }
    const listener = requireListener(textOf(input, 'listener') ?? readListener(terminal.env))
    const { id } = await carillon.events.trigger(listener, { signal })
    print({ id }, `Sent ${id} to the listener`)
  },
}

function senderOf(input: Input): Pick<NewMessage, 'channel' | 'from'> {
  // The server knows the channels, and names them if this is another.
  return { channel: textOf(input, 'channel') as NewMessage['channel'], from: textOf(input, 'from') }
}
