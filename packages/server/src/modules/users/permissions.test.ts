import { Module } from '@carillon/contract/roles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let reseller: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  reseller = await buildReseller(server.database, { parent: await buildAdmin(server.database) })
})
afterAll(() => server.close())

test('a module removed from an organisation is hidden from its users, and restored with it', async () => {
  const organization = await buildManager(server.database, { parent: reseller })
  const member = await buildUser(server.database, { parent: organization })
  const mayList = async () => (await server.call('smsTemplates.list', { as: member })).status
  expect(await mayList()).toBe(200)
  const grant = (granted: boolean) =>
    server.call('permissions.grant', {
      as: reseller,
      body: { userId: organization.id, modulePermissions: [{ moduleName: 'template', granted }] },
    })
  expect((await grant(false)).body).toMatchObject({
    modulePermissions: Module.options
      .filter((name) => name !== 'template')
      .toSorted()
      .map((moduleName) => ({ moduleName })),
  })
  expect(await mayList()).toBe(403)
  await grant(true)
  expect(await mayList()).toBe(200)
})

test('a module removed from a department head is hidden from its users, who keep their grants', async () => {
  const organization = await buildManager(server.database, { parent: reseller })
  const head = await buildDepartmentHead(server.database, { parent: organization })
  const member = await buildUser(server.database, { parent: head })
  await server.call('permissions.grant', {
    as: organization,
    body: { userId: head.id, modulePermissions: [{ moduleName: 'template', granted: false }] },
  })
  expect((await server.call('smsTemplates.list', { as: member })).status).toBe(403)
  const shown = await server.ask('users.get', { as: organization, path: { userId: member.id } })
  expect(shown.modules).not.toContain('template')
  expect(shown.grantedModules).toContain('template')
  const listed = await server.call('users.list', { as: organization, query: { module: 'template' } })
  expect(JSON.stringify(listed.body)).not.toContain(member.id)
})

test('returns how many accounts below use each module', async () => {
  const organization = await buildManager(server.database, { parent: reseller })
  await buildUser(server.database, { parent: organization })
  await buildUser(server.database, { parent: organization, modules: ['template'] })
  const usersOf = async () =>
    (await server.ask('users.get', { as: reseller, path: { userId: organization.id } })).moduleUsers
  expect(await usersOf()).toMatchObject({ template: 2, campaign: 1 })
  await server.call('permissions.grant', {
    as: reseller,
    body: { userId: organization.id, modulePermissions: [{ moduleName: 'template', granted: false }] },
  })
  expect(await usersOf()).not.toHaveProperty('template')
})

test('nobody can grant a module they lack', async () => {
  const poor = await buildManager(server.database, { parent: reseller, modules: ['campaign'] })
  const member = await buildUser(server.database, { parent: poor, modules: [] })
  const answer = await server.call('permissions.grant', {
    as: poor,
    body: { userId: member.id, modulePermissions: [{ moduleName: 'chat', granted: true }] },
  })
  expect(answer.status).toBe(403)
})
