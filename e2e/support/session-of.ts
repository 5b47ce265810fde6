import type { AuthenticatedUser } from '@carillon/contract/auth'
import { demoPassword } from '@carillon/server/demo/cast'
import type { BrowserContext } from 'playwright-core'

/** Signed in without the form: what a reload of a signed-in tab finds. */
export async function takeSession(context: BrowserContext, { url, username }: { url: string; username: string }) {
  const answer = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: demoPassword }),
  })
  const { token, type, email, expiresAt, isFirstLogin } = (await answer.json()) as AuthenticatedUser
  const session = { version: 1, auth: { token, type, username, email, expiresAt, isFirstLogin }, impersonation: null }
  await context.addInitScript((stored) => sessionStorage.setItem('carillon.session', stored), JSON.stringify(session))
}

export async function chooseTheme(context: BrowserContext, theme: 'light' | 'dark') {
  await context.addInitScript((chosen) => localStorage.setItem('carillon.theme', chosen), theme)
}
