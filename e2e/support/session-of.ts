import type { AuthenticatedUser } from '@carillon/contract/auth'
import { demoPassword } from '@carillon/server/demo/cast'
import type { BrowserContext } from 'playwright-core'

/** Signs in without the form by storing a session, as in a reloaded tab. */
export async function takeSession(context: BrowserContext, account: { url: string; username: string }) {
  await context.addInitScript((stored) => sessionStorage.setItem('carillon.session', stored), await sessionOf(account))
}

const sessions = new Map<string, Promise<string>>()

/** One sign-in per account serves all its visits. */
function sessionOf({ url, username }: { url: string; username: string }): Promise<string> {
  const key = `${url} ${username}`
  const session = sessions.get(key) ?? openSession(url, username)
  sessions.set(key, session)
  return session
}

async function openSession(url: string, username: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: demoPassword }),
  })
  return storedSession(username, (await answer.json()) as AuthenticatedUser)
}

/** What the application stores after a sign-in. */
export function storedSession(
  username: string,
  { token, type, email, expiresAt, isFirstLogin }: AuthenticatedUser,
): string {
  return JSON.stringify({
    version: 1,
    auth: { token, type, username, email, expiresAt, isFirstLogin },
    impersonation: null,
  })
}

export async function chooseTheme(context: BrowserContext, theme: 'light' | 'dark') {
  await context.addInitScript((chosen) => localStorage.setItem('carillon.theme', chosen), theme)
}
