import type { EndpointName } from '@carillon/contract'
import { Module } from '@carillon/contract/roles'
import type { Database } from '../db/pool.ts'
import { buildManager, signIn, type Account } from './builders.ts'

type Session = Awaited<ReturnType<typeof signIn>>

/** Some of these calls end sessions of their account, so they get one of their own and no other is kept. */
const mayEndSessions = /^(?:auth|sessions|profile|users|emailChange|twoFactor|signUp)\./

/** Sessions for many calls in sequence: one per account, as long as no call may have ended it. */
export function keepSessions(database: () => Database) {
  const kept = new Map<string, Promise<Session>>()
  return (name: EndpointName, who: Account): Promise<Session> => {
    if (mayEndSessions.test(name)) {
      kept.delete(who.id)
      return signIn(database(), who)
    }
    const session = kept.get(who.id) ?? signIn(database(), who)
    kept.set(who.id, session)
    return session
  }
}

/** Managers with every module but one. */
export function keepManagers(database: () => Database) {
  const kept = new Map<Module, Promise<Account>>()
  return (missing: Module): Promise<Account> => {
    const modules = Module.options.filter((module) => module !== missing)
    const manager = kept.get(missing) ?? buildManager(database(), { modules })
    kept.set(missing, manager)
    return manager
  }
}
