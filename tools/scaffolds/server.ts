import { requireKebab, ScaffoldError, toCamel, toPascal, toTitle, type Scaffold } from './scaffold.ts'

/** `endpoint support.list 'GET /api/support/requests'`: one entry of the contract; the compiler then requires the handler. */
export function scaffoldEndpoint([name, route]: string[]): Scaffold {
  const [domain, verb] = name?.split('.') ?? []
  if (!domain || !verb) throw new ScaffoldError(`new endpoint <domain>.<verb> '<METHOD> <path>'`)
  if (!route || !/^(?:GET|POST|PUT|DELETE) \/\S+$/.test(route))
    throw new ScaffoldError(`A route is written 'GET /api/support/{id}'`)

  const parameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => `${parameter}: Id`)
  const entry = [
    `  '${domain}.${verb}': {`,
    `    route: '${route}',`,
    `    summary: 'What it does, in one sentence without a full stop',`,
    `    roles: ['manager'],`,
    ...(parameters.length > 0 ? [`    path: z.object({ ${parameters.join(', ')} }),`] : []),
    ...(/^(?:POST|PUT)/.test(route) ? ['    body: z.object({}),'] : []),
    `    data: z.object({}),`,
    `    fallback: 'An unexpected error occurred',`,
    `    addition: true,`,
    `  },`,
  ]
  return {
    files: {},
    insertions: [{ file: `packages/contract/src/${domain}.ts`, before: '\n})', text: `\n${entry.join('\n')}` }],
    todo: [
      'Fill the entry: who may call it, what it takes, what it answers; drop `addition` if the specification has it',
      `tsc points at packages/server/src/modules/${domain}/handlers.ts`,
      'Add the route with its roles to the table in packages/server/src/authorization.test.ts',
      'npm run docs',
    ],
  }
}

/** `module support`: a contract file and a server module with one working call. */
export function scaffoldModule([given]: string[]): Scaffold {
  const name = requireKebab(given, 'A module')
  const camel = toCamel(name)
  const folder = `packages/server/src/modules/${name}`
  return {
    files: {
      [`packages/contract/src/${name}.ts`]: writeContract(name, camel),
      [`${folder}/index.ts`]: `/**\n * What this module is responsible for, in one sentence.\n * What it leaves to other modules, in another.\n */\nexport { ${camel}Handlers } from './handlers.ts'\n`,
      [`${folder}/handlers.ts`]: writeHandlers(name, camel),
    },
    insertions: [],
    todo: [
      `packages/contract/src/index.ts: ...${camel}Endpoints`,
      `packages/server/src/wiring/calls.ts: ...${camel}Handlers`,
      'tools/checks/import-rules.ts: its place in the line of modules',
      'packages/server/src/authorization.test.ts: the route with its roles',
      'npm run docs',
    ],
  }
}

function writeContract(name: string, camel: string): string {
  return `import { z } from 'zod'
import { Id } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery, Pagination } from './paging.ts'

export const ${camel}Endpoints = defineEndpoints({
  '${camel}.list': {
    route: 'GET /api/${name}',
    summary: 'What it lists, and in which order',
    roles: ['manager'],
    query: PageQuery,
    data: z.object({ ${camel}: z.array(z.object({ _id: Id })), pagination: Pagination }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
`
}

function writeHandlers(name: string, camel: string): string {
  return `import type { ${camel}Endpoints } from '@carillon/contract/${name}'
import { paginate } from '@carillon/contract/paging'
import type { Handlers } from '../../http/handlers.ts'

export const ${camel}Handlers: Handlers<typeof ${camel}Endpoints> = {
  '${camel}.list': async ({ input }) => ({ ${camel}: [], pagination: paginate(input.query, 0) }),
}
`
}

/** `provider sms/acme`: the folder of a provider with its settings, session, table test and README. */
export function scaffoldProvider([given]: string[]): Scaffold {
  const [channel, last] = given?.split('/') ?? []
  if (!channel || !['sms', 'rcs', 'whatsapp'].includes(channel))
    throw new ScaffoldError('new provider <sms|rcs|whatsapp>/<name>')
  const name = requireKebab(last, 'A provider')
  const names = { channel, name, camel: toCamel(name), pascal: toPascal(name), title: toTitle(name) }
  const folder = `packages/server/src/channels/${channel}/${name}`
  return {
    files: {
      [`${folder}/${name}.ts`]: writeProvider(names),
      [`${folder}/${name}.test.ts`]: writeProviderTest(names),
      [`${folder}/README.md`]: `# ${names.title}\n\nWhose API this is, with a link to its documentation. Its limits: messages per second, length, retries of callbacks.\n`,
    },
    insertions: [],
    todo: [
      `packages/server/src/channels/index.ts: one line, erase(${names.camel})`,
      'Fill the settings, the table of outcomes, connect, webhook',
      `A simulation in packages/simulator/src/, so that the whole product can be tried without a contract`,
    ],
  }
}

type Names = { channel: string; name: string; camel: string; pascal: string; title: string }

function writeProvider({ channel, name, camel, pascal, title }: Names): string {
  return `import { z } from 'zod'
import type { OutboundMessage, Provider, ProviderIo, SendOutcome, Session, SessionState } from '../../provider.ts'

export const ${pascal}Config = z.object({
  url: z.url().meta({ title: 'Address' }),
  apiKey: z.string().min(1).max(200).meta({ title: 'API key', secret: true }),
})
export type ${pascal}Config = z.infer<typeof ${pascal}Config>

export const ${camel}: Provider<${pascal}Config> = {
  channel: '${channel}',
  name: '${name}',
  label: '${title}',
  description: 'Who this is, for the person who chooses',
  config: ${pascal}Config,
  presets: [],
  idempotent: () => false,
  connect: (config, io) => openSession(config, io),
}

function openSession(config: ${pascal}Config, { egress }: ProviderIo): Session {
  const state = (): SessionState => ({ ready: true, binds: [], lastError: undefined })
  return {
    window: 32,
    state,
    send(batch, onOutcome) {
      for (const [index, message] of batch.entries())
        sendOne(message).then(
          (outcome) => onOutcome(index, outcome),
          (error: unknown) => onOutcome(index, { kind: 'unknown', code: 'failed', detail: String(error) }),
        )
    },
    close: async () => undefined,
  }

  async function sendOne(message: OutboundMessage): Promise<SendOutcome> {
    try {
      const headers = { authorization: \`Bearer \${config.apiKey}\`, 'content-type': 'application/json' }
      const body = JSON.stringify({ to: message.to, from: message.from, text: message.text, reference: message.reference })
      return readOutcome(await egress.request({ method: 'POST', url: config.url, headers, body, timeoutMs: 15_000 }))
    } catch (error) {
      return { kind: 'unknown', code: 'no_answer', detail: error instanceof Error ? error.message : 'No answer' }
    }
  }
}

/** Maps the provider's responses. A 5xx is not a refusal: the message may have been accepted. */
export function readOutcome({ status, body }: { status: number; body: string }): SendOutcome {
  const code = String(status)
  if (status >= 200 && status < 300) return { kind: 'accepted', providerMessageIds: [body.trim()] }
  if (status === 429) return { kind: 'retry', afterMs: 1000, reason: 'throughput_limited', code, detail: body, throttled: true }
  if (status >= 500) return { kind: 'unknown', code, detail: body }
  return { kind: 'rejected', reason: 'bad_request', code, detail: body, scope: 'message' }
}
`
}

function writeProviderTest({ name }: Names): string {
  return `import { expect, test } from 'vitest'
import { readOutcome } from './${name}.ts'

test.each([
  ['taken', 200, { kind: 'accepted' }],
  ['too fast', 429, { kind: 'retry', throttled: true }],
  ['wrong', 400, { kind: 'rejected', scope: 'message' }],
  ['broken over there', 503, { kind: 'unknown' }],
])('a response with %s', (_, status, outcome) => {
  expect(readOutcome({ status, body: 'x-1' })).toMatchObject(outcome)
})
`
}
