import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { Role } from '@carillon/contract/roles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from './lib/ids.ts'
import { buildAgent } from './modules/conversations/test-agents.ts'
import { fingerprintAll } from './testing/fingerprint.ts'
import { buildFixtures, erase, type Fixtures } from './testing/fixtures.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from './testing/builders.ts'
import { filledCall, findIdPlaces, isJoined, kindOf, put, type IdPlace } from './testing/call-samples.ts'
import type { Kind } from './testing/id-kinds.ts'
import { testServer, type UncheckedOptions, type TestServer } from './testing/server.ts'

type CanSee = (caller: Account, owner: Account) => boolean
const isBelow: CanSee = (caller, owner) => `${owner.path}.`.startsWith(`${caller.path}.`)
const isSame: CanSee = (caller, owner) => caller.id === owner.id
/** What belongs to an organisation as a whole is visible to its members, and to admins and resellers above it. */
const isOfOrganization: CanSee = (caller, owner) =>
  caller.organizationId === owner.organizationId ||
  (['admin', 'reseller'].includes(caller.role) && isBelow(caller, owner))

/** Who may read what, by the place of its owner; repeated here on purpose instead of read from the product. */
const canSee: Record<Kind, CanSee> = {
  account: isBelow,
  organization: isOfOrganization,
  audience: isBelow,
  campaign: isBelow,
  singleSend: isBelow,
  invitation: isBelow,
  rateCard: isBelow,
  smsAccount: isOfOrganization,
  template: isOfOrganization,
  family: isOfOrganization,
  whatsappAccount: isOfOrganization,
  whatsappNumber: isOfOrganization,
  whatsappTemplate: isOfOrganization,
  whatsappCampaign: isBelow,
  rcsBot: isOfOrganization,
  rcsRequest: isOfOrganization,
  rcsTemplate: isOfOrganization,
  botImage: isOfOrganization,
  file: isOfOrganization,
  invoice: isOfOrganization,
  session: isSame,
  topUp: isSame,
  supportRequest: isSame,
  notification: isSame,
  savedView: isSame,
  team: isOfOrganization,
  cannedReply: isOfOrganization,
  member: isOfOrganization,
  conversation: isBelow,
  inboundMessage: isBelow,
  scheduledReply: isBelow,
  contact: isBelow,
  contactChange: isBelow,
  apiKey: isBelow,
  apiRequest: isBelow,
  keyConfig: isBelow,
  smppCredential: isBelow,
  eventListener: isSame,
  oneTimePassword: isSame,
  webhookEndpoint: isBelow,
  webhookDelivery: isBelow,
  report: isBelow,
  reportSchedule: isBelow,
  reportRun: isBelow,
}

/** Calls without a caller have no relations. */
const names = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => endpoints[name].roles !== 'public' && findIdPlaces(endpoints[name]).length > 0,
)
/** They read the campaigns of a restored database only: restore-calls.test.ts has one. */
const needingRestore: ReadonlySet<EndpointName> = new Set(['sending.resume'])
/** They need a file on the disk: the tests of the module have one. */
const needingFile: ReadonlySet<EndpointName> = new Set(['conversations.file', 'reportFiles.download'])
/** Reactions are neither a first message nor sent later. */
const refusesReactions: ReadonlySet<EndpointName> = new Set(['conversations.start', 'conversations.schedule'])
const rolesOf = ({ roles }: Endpoint) => Role.options.filter((role) => roles === 'session' || roles.includes(role))

type Person = { account: Account; mark: string; has: Fixtures }

let server: TestServer
/** A chain with one account of each role, and for each of them a sibling below the same account. */
let line: Record<Role, Person>
let others: Record<string, Person>
/** The records of each account of the chain, until they are deleted. */
let gone: Record<Role, Fixtures>

beforeAll(async () => {
  server = await testServer({ environment: { DATABASE_POOL: '20' }, flags: ['--run=web'] })
  const { database } = server
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  const department_head = await buildDepartmentHead(database, { parent: manager })
  const user = await buildUser(database, { parent: department_head })
  const otherHead = await buildDepartmentHead(database, { parent: manager })
  const otherReseller = await buildReseller(database, { parent: admin })
  line = await equip({ admin, reseller, manager, department_head, user })
  others = await equip({
    'same department': await buildUser(database, { parent: department_head }),
    'other department': otherHead,
    'in the other department': await buildUser(database, { parent: otherHead }),
    'beside the departments': await buildUser(database, { parent: manager }),
    'sibling organisation': await buildManager(database, { parent: reseller }),
    'sibling reseller': otherReseller,
    'below the sibling reseller': await buildManager(database, { parent: otherReseller }),
    foreign: await buildManager(database, {
      parent: await buildReseller(database, { parent: await buildAdmin(database) }),
    }),
  })
  gone = await equipToErase(line)
  const allowed = { as: admin, path: { userId: reseller.id }, body: { mayImpersonate: true } }
  expect(await server.call('signUp.allowImpersonation', allowed)).toMatchObject({ status: 200 })
})
afterAll(() => server.close())

async function equip<Name extends string>(accounts: Record<Name, Account>): Promise<Record<Name, Person>> {
  const entries = Object.entries<Account>(accounts).map(async ([name, account]) => {
    const mark = `Mark${name.replaceAll(/\W/g, '')}`
    return [name, { account, mark, has: await buildRecords(account, { mark }) }] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, Person>
}

/** Fixtures with a line that sends: this server has no sender. */
async function buildRecords(owner: Account, options?: { mark: string }): Promise<Fixtures> {
  const has = await buildFixtures(server.database, owner, options)
  await server.database.ownerPool.query('update senders set is_active = true where id = $1', [has.smsAccount])
  return has
}

async function equipToErase(people: Record<Role, Person>): Promise<Record<Role, Fixtures>> {
  const entries = Object.entries(people).map(async ([role, { account }]) => {
    const has = await buildSpare(account)
    if (has.account === account.id) has.account = newId()
    if (has.member === account.id) has.member = newId()
    has.organization = newId()
    await erase(server.database, has)
    return [role, has] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as Record<Role, Fixtures>
}

/** Records that no later test needs; for an account or organisation, one below where that may exist. */
async function buildSpare(owner: Account): Promise<Fixtures> {
  const build = {
    admin: buildReseller,
    reseller: buildManager,
    manager: buildUser,
    department_head: buildUser,
    user: undefined,
  }
  const child = await build[owner.role]?.(server.database, { parent: owner })
  if (child) await buildAgent(server.database, child)
  const isAbove = owner.role === 'admin' || owner.role === 'reseller'
  const organization = isAbove ? (await buildManager(server.database, { parent: owner })).id : owner.organizationId
  return {
    ...(await buildRecords(owner)),
    ...(child ? { account: child.id, member: child.id } : {}),
    organization,
  }
}

/** The response without the requested ids, which it may repeat, and without the time, which reveals nothing. */
async function ask(name: EndpointName, options: UncheckedOptions, id: string) {
  const { status, text } = await server.callUnchecked(name, options)
  return { status, text: text.replaceAll(id, 'ID').replaceAll(/"(?:now|cursor)":"[^"]*"/g, '') }
}

function uncovered(caller: Person, kind: Kind): { whose: string; id: string; mark: string }[] {
  const strangers = [...Object.entries(line), ...Object.entries(others)]
    .filter(([, { account }]) => !canSee[kind](caller.account, account))
    .map(([whose, { has, mark }]) => ({ whose, id: has[kind], mark }))
  return [...strangers, { whose: 'deleted', id: gone[caller.account.role][kind], mark: 'ID of something deleted' }]
}

/** An id in the format of its field; where a field takes several, also together with one's own. */
function spellings(place: IdPlace, id: string, own: string): string[] {
  return isJoined(place) ? [id, `${own} , ${id}`, `${id},${own}`] : [id]
}

describe.each(names)('%s', (name) => {
  const endpoint: Endpoint = endpoints[name]
  const places = findIdPlaces(endpoint)

  test.each(rolesOf(endpoint))('reveals and changes nothing outside the scope of %s', async (role) => {
    const caller = line[role]
    const child = Object.values(line).find(({ account }) => account.path.startsWith(`${caller.account.path}.`))
    const has = { ...caller.has, account: (child ?? caller).account.id }
    const call = filledCall(name, { as: caller.account, has })
    const before = await fingerprintAll(server.database)
    for (const place of places) {
      const absent = await askAt(place, call)
      if (isJoined(place)) expect([place, absent.status]).toEqual([place, 404])
      for (const { whose, id, mark } of uncovered(caller, kindOf(name, place)))
        for (const spelled of spellings(place, id, caller.account.id)) {
          const answer = await ask(name, put(call, place, spelled), id)
          expect({ place, whose, ...answer }).toEqual({ place, whose, ...absent })
          expect(answer.text).not.toContain(mark)
        }
    }
    expect(await fingerprintAll(server.database)).toBe(before)
  })

  const refusalsMatter = 'has an effect in scope, so that its rejections are meaningful'
  if (!needingRestore.has(name) && !needingFile.has(name))
    test(refusalsMatter, async () => {
      for (const place of places) {
        if (place.field === 'content.to' && refusesReactions.has(name)) continue
        let hasEffect = false
        for (const role of rolesOf(endpoint)) {
          const has = await buildSpare(line[role].account)
          const call = filledCall(name, { as: line[role].account, has })
          const absent = await askAt(place, call)
          const before = await fingerprintAll(server.database)
          const present = await askAt(place, call, has[kindOf(name, place)])
          const answersDiffer = absent.status !== present.status || absent.text !== present.text
          hasEffect = answersDiffer || (await fingerprintAll(server.database)) !== before
          if (hasEffect) break
        }
        expect([place, hasEffect]).toEqual([place, true])
      }
    })

  const askAt = (place: IdPlace, call: UncheckedOptions, id = newId()) => ask(name, put(call, place, id), id)
})
