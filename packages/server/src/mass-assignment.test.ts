import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { Role } from '@carillon/contract/roles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from './modules/auth/index.ts'
import { fingerprint } from './testing/fingerprint.ts'
import { buildFixtures } from './testing/fixtures.ts'
import { buildAdmin, buildManager, type Account } from './testing/builders.ts'
import { buildCaller } from './testing/callers.ts'
import { filledCall, sampleCall, samplePassword, shapeOf, type Shape } from './testing/call-samples.ts'
import { testServer, type UncheckedOptions, type TestServer } from './testing/server.ts'
import { rowsWrittenBy } from './testing/written-rows.ts'
import { unreadyCalls } from './testing/unready-calls.ts'

type Extras = Record<string, unknown>

let server: TestServer
let passwordHash: string
let stranger: Account
let strangers: string
/** Every column of the database, in snake and camel case, with a valid value. */
let columns: Extras

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  passwordHash = await hashPassword(samplePassword)
  stranger = await buildManager(server.database, { parent: await buildAdmin(server.database) })
  await buildFixtures(server.database, stranger)
  strangers = await fingerprint(server.database, stranger.organizationId)
  columns = await readColumns()
})
afterAll(() => server.close())

/** Server-owned fields by the names common in similar products. */
const usual = (): Extras => ({
  _id: stranger.id,
  tenantId: stranger.organizationId,
  owner: stranger.id,
  userId: stranger.id,
  isAdmin: true,
  isActive: true,
  role: 'admin',
  type: 'admin',
  permissions: ['campaign', 'api'],
  modules: ['campaign', 'api'],
  balance: 987_654,
  credit: 987_654,
  price: 0,
  status: 'approved',
  emailVerified: true,
})

async function readColumns(): Promise<Extras> {
  const { rows } = await server.database.ownerPool.query<{ name: string; type: string; label: string | null }>(`
    select distinct attname as name, typname as type, (select enumlabel from pg_enum where enumtypid = t.oid order by enumsortorder limit 1) as label
    from pg_attribute join pg_class c on c.oid = attrelid join pg_type t on t.oid = atttypid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0`)
  const values: Extras = {
    uuid: stranger.id,
    ltree: stranger.path,
    bool: true,
    int2: 9876,
    int4: 987_654,
    int8: 987_654,
    float4: 987_654,
    numeric: 987_654,
    timestamptz: '1999-09-09T09:09:09.000Z',
    date: '1999-09-09',
    jsonb: { chosen: true },
    _uuid: [stranger.id],
    _text: ['chosen'],
  }
  const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(
    rows.flatMap(({ name, type, label }) => {
      const value = label ?? values[type] ?? 'chosen'
      return [name, camel(name)].map((spelling) => [spelling, value])
    }),
  )
}

/** Special property names of JavaScript. */
const language = JSON.parse(
  '{"__proto__":{"isAdmin":true,"role":"admin"},"constructor":{"prototype":{"isAdmin":true}},"prototype":{"isAdmin":true}}',
) as Extras

/** The body with all extra fields, at its top level or in all nested objects. */
function extend(body: unknown, shape: Shape, { extras, where }: { extras: Extras; where: 'top' | 'inside' }): unknown {
  if (Array.isArray(body))
    return body.map((item) => extend(item, shape.items ?? {}, { extras, where: where === 'inside' ? 'top' : where }))
  if (typeof body !== 'object' || body === null) return body
  if (where === 'top') {
    const own = new Set([...Object.keys(shape.properties ?? {}), ...Object.keys(body)])
    return { ...body, ...Object.fromEntries(Object.entries(extras).filter(([name]) => !own.has(name))) }
  }
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    extend(value, shape.properties?.[name] ?? {}, { extras, where: 'top' }),
  ])
  return Object.fromEntries(entries) as Extras
}

/** Makes the call in a fresh fixture; returns its response and the rows it wrote. */
async function perform(
  name: EndpointName,
  role: Role,
  change: (call: UncheckedOptions) => UncheckedOptions = (call) => call,
) {
  const { as, has } = await buildCaller(server.database, { role, passwordHash })
  // Avoids a write of the last-seen time.
  await server.call('profile.details', { as })
  const call = change(filledCall(name, { as, has }))
  const { result, rows } = await rowsWrittenBy(server.database, () => server.callUnchecked(name, call))
  return { status: result.status, rows }
}

/** The first role with which the call succeeds; else the last one allowed. */
async function findPlain(name: EndpointName) {
  const { roles }: Endpoint = endpoints[name]
  const may = Role.options.filter((role) => typeof roles === 'string' || roles.includes(role))
  for (const role of may) {
    const plain = await perform(name, role)
    if (plain.status === 200 || role === may.at(-1)) return { role, plain }
  }
  throw new Error(`Nobody may call ${name}`)
}

const writing = (Object.keys(endpoints) as EndpointName[]).filter((name) => !endpoints[name].route.startsWith('GET '))

const refusedAnyway: EndpointName[] = []

test.each(writing)('%s writes the same rows, whatever extra fields its body has', async (name) => {
  const { body: schema, files }: Endpoint = endpoints[name]
  const shape = schema ? shapeOf(schema) : {}
  const { role, plain } = await findPlain(name)
  if (plain.status !== 200) refusedAnyway.push(name)
  // A form takes a hundred fields, fewer than all columns.
  for (const extras of [files ? usual() : { ...columns, ...usual() }, language])
    for (const where of ['top', 'inside'] as const) {
      const extended = (body: unknown = {}) => extend(body, shape, { extras, where })
      if (JSON.stringify(extended(sampleCall(name).body)) === JSON.stringify(sampleCall(name).body ?? {})) continue
      const answer = await perform(name, role, (call) => ({ ...call, body: extended(call.body) }))
      const refused = [400, 413].map((status) => ({ status, rows: [] }))
      expect([plain, ...refused]).toContainEqual(answer)
    }
})

test('no row of the account named in the bodies has changed, nor the prototypes', async () => {
  expect(await fingerprint(server.database, stranger.organizationId)).toBe(strangers)
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('the calls succeed, except where they need a token or a state first', () => {
  expect(new Set(refusedAnyway)).toEqual(
    new Set([
      ...unreadyCalls,
      'auth.login',
      'auth.firstAdmin',
      'auth.resetPassword',
      'emailChange.confirm',
      'emailChange.refuse',
      'invitations.accept',
    ]),
  )
})
