import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type CallOptions, type TestServer } from '../../../testing/server.ts'
import { newPerson } from '../test-agents.ts'
import { buildLine, chatOf, receive, type Line } from '../test-inbox.ts'
import { wakeDue } from './wake.ts'

/** What a conversation is after any sequence of what people and members do, and of time that passes. */
type Model = {
  status: 'open' | 'pending' | 'snoozed' | 'resolved'
  holder: 'human' | 'bot' | 'paused'
  assignee: 'user' | 'colleague' | 'manager' | undefined
  unread: number
  isBlocked: boolean
  /** Whether it is snoozed, or its bot paused, until a time. */
  snoozeEnds: boolean
  pauseEnds: boolean
}

type Real = { chatId: string; from: string }
type Command = fc.AsyncCommand<Model, Real>

let server: TestServer
let line: Line
let members: Record<'manager' | 'user' | 'colleague', Account>

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  const manager = await buildManager(server.database)
  members = {
    manager,
    user: await buildUser(server.database, { parent: manager }),
    colleague: await buildUser(server.database, { parent: manager }),
  }
  line = await buildLine(server.database, manager)
})
afterAll(() => server.close())

const soon = () => new Date(Date.now() + 3_600_000).toISOString()

async function read({ chatId }: Real): Promise<Model> {
  const { conversation } = await server.ask('conversations.get', { as: members.manager, path: { id: chatId } })
  const { status, handledBy, assignee, unread, isBlocked, snoozedUntil, pausedUntil } = conversation
  const name = (['manager', 'user', 'colleague'] as const).find((each) => members[each].id === assignee?._id)
  return {
    status,
    holder: handledBy,
    assignee: name,
    unread,
    isBlocked,
    snoozeEnds: snoozedUntil !== undefined,
    pauseEnds: pausedUntil !== undefined,
  }
}

/** Each state that the model was in. */
const reached = new Set<string>()

type Step = {
  name: string
  /** Returns the status of the response, if it is a call. */
  act(real: Real): Promise<number | undefined>
  /** Changes the model; returns the expected status. */
  expects(model: Model): number | undefined
}

const command = ({ name, act, expects }: Step): Command => ({
  check: () => true,
  async run(model, real) {
    const status = await act(real)
    expect([name, status]).toEqual([name, expects(model)])
    expect([name, await read(real)]).toEqual([name, model])
    const { status: now, holder, assignee } = model
    reached.add(`${now} ${holder}${assignee === undefined ? '' : ' assigned'}`)
  },
  toString: () => name,
})

type Change = NonNullable<CallOptions<'conversations.change'>['body']>

function change(body: Change, expects: (model: Model) => number): Command {
  return command({
    name: JSON.stringify(body),
    act: async ({ chatId }) =>
      (await server.call('conversations.change', { as: members.manager, path: { id: chatId }, body })).status,
    expects,
  })
}

function wake(model: Model) {
  model.snoozeEnds = false
  if (model.status === 'snoozed') model.status = model.holder === 'bot' ? 'pending' : 'open'
}

const setStatus = (status: Model['status'], isTimed: boolean): Command =>
  change({ status, ...(isTimed ? { snoozedUntil: soon() } : {}) }, (model) => {
    const isClosed = model.status === 'resolved'
    if (isClosed && (status === 'pending' || status === 'snoozed')) return 409
    if (status === 'resolved' && !isClosed) model.unread = 0
    if (status === 'pending') [model.holder, model.pauseEnds] = ['bot', false]
    if (status === 'open' && model.holder === 'bot') model.holder = 'human'
    model.status = status
    model.snoozeEnds = status === 'snoozed' && isTimed
    return 200
  })

const setHolder = (holder: Model['holder'], isTimed: boolean): Command =>
  change({ handledBy: holder, ...(isTimed ? { pausedUntil: soon() } : {}) }, (model) => {
    const isSame = model.holder === holder
    const isActive = model.status === 'open' || model.status === 'pending'
    if (!isSame && isActive) model.status = holder === 'bot' ? 'pending' : 'open'
    model.holder = holder
    model.pauseEnds = holder === 'paused' && isTimed
    return 200
  })

const assign = (assignee: Model['assignee']): Command =>
  command({
    name: `assign ${assignee}`,
    act: async ({ chatId }) => {
      const body = { assigneeId: assignee === undefined ? null : members[assignee].id }
      return (await server.call('conversations.change', { as: members.manager, path: { id: chatId }, body })).status
    },
    expects(model) {
      model.assignee = assignee
      return 200
    },
  })

const block = (isBlocked: boolean): Command =>
  change({ isBlocked }, (model) => {
    if (isBlocked && !model.isBlocked) model.unread = 0
    model.isBlocked = isBlocked
    return 200
  })

const mark = (isUnread: boolean): Command =>
  change({ isUnread }, (model) => {
    if (isUnread !== model.unread > 0) model.unread = isUnread ? 1 : 0
    return 200
  })

const write: Command = command({
  name: 'the person writes',
  async act({ from }) {
    await receive(server.database, line, { from })
    return undefined
  },
  expects(model) {
    if (model.isBlocked) return undefined
    if (model.status === 'resolved') model.status = model.holder === 'bot' ? 'pending' : 'open'
    wake(model)
    model.unread += 1
    return undefined
  },
})

const reply = (author: 'manager' | 'user'): Command =>
  command({
    name: `${author} replies`,
    act: async ({ chatId }) => {
      const body = { clientId: newId(), content: { type: 'text' as const, text: 'Yes' } }
      return (await server.call('conversations.reply', { as: members[author], path: { id: chatId }, body })).status
    },
    expects(model) {
      if (author === 'user' && model.assignee !== undefined && model.assignee !== 'user') return 404
      if (model.isBlocked) return 409
      if (model.status !== 'snoozed') model.status = 'open'
      if (model.holder === 'bot') model.holder = 'human'
      model.assignee ??= author
      model.unread = 0
      return 200
    },
  })

const passTime: Command = command({
  name: 'time passes',
  async act({ chatId }) {
    await server.database.systemPool.query(
      `update conversations set snoozed_until = case when snoozed_until is not null then now() end,
        paused_until = case when paused_until is not null then now() end
      where id = $1 and (snoozed_until is not null or paused_until is not null)`,
      [chatId],
    )
    await wakeDue(server.database, { organizationId: line.organizationId, id: chatId })
    return undefined
  },
  expects(model) {
    if (model.pauseEnds) {
      ;[model.holder, model.pauseEnds] = ['bot', false]
      if (model.status === 'open') model.status = 'pending'
    }
    if (!model.snoozeEnds) return undefined
    wake(model)
    model.unread = Math.max(model.unread, 1)
    return undefined
  },
})

const commands: fc.Arbitrary<Command>[] = [
  fc.oneof(
    fc.constantFrom('open' as const, 'pending' as const, 'resolved' as const).map((status) => setStatus(status, false)),
    fc.boolean().map((isTimed) => setStatus('snoozed', isTimed)),
  ),
  fc.oneof(
    fc.constantFrom('human' as const, 'bot' as const).map((holder) => setHolder(holder, false)),
    fc.boolean().map((isTimed) => setHolder('paused', isTimed)),
  ),
  fc.constantFrom(undefined, 'user' as const, 'colleague' as const, 'manager' as const).map(assign),
  fc.boolean().map(block),
  fc.boolean().map(mark),
  fc.constant(write),
  fc.constantFrom('manager' as const, 'user' as const).map(reply),
  fc.constant(passTime),
]

test('a conversation follows the model, whatever the person, members and time do', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (given) => {
      const from = newPerson()
      const chatId = chatOf(line, from)
      await receive(server.database, line, { from })
      const model: Model = {
        status: 'open',
        holder: 'human',
        assignee: undefined,
        unread: 1,
        isBlocked: false,
        snoozeEnds: false,
        pauseEnds: false,
      }
      await fc.asyncModelRun(() => ({ model, real: { chatId, from } }), given)
    }),
    { numRuns: 45 },
  )
  // A bot holds all that are pending and none that are open.
  const states = ['open human', 'open paused', 'pending bot'].concat(
    ['snoozed', 'resolved'].flatMap((status) => ['human', 'bot', 'paused'].map((holder) => `${status} ${holder}`)),
  )
  const possible = states.flatMap((state) => [state, `${state} assigned`])
  expect([...reached].filter((state) => !possible.includes(state))).toEqual([])
  expect(reached.size).toBeGreaterThanOrEqual(possible.length - 4)
})
