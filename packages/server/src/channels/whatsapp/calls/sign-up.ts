import type { whatsappEndpoints } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { Config } from '../../../config.ts'
import type { RunTransaction } from '../../../db/pool.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { conflict } from '../../../lib/problem.ts'
import { providerOfAccounts, withProviderErrors, type ProviderQueryDeps } from '../../../modules/senders/index.ts'
import { createConnection } from './connection-settings.ts'
import { runAutomaticSteps } from './connection-steps.ts'
import { getConnection } from './read-connections.ts'
import { chooseSolution, getSolution } from './solutions.ts'

export type SignUpDeps = ProviderQueryDeps & {
  config: Pick<
    Config,
    'META_APP_ID' | 'META_APP_SECRET' | 'META_CONFIGURATION_ID' | 'META_SOLUTIONS' | 'GRAPH_URL' | 'GRAPH_VERSION'
  >
  /** Values to enter if the provider is the simulator. */
  demoAccount: DemoAccount | undefined
}

export type DemoAccount = {
  graphUrl: string
  waba_id: string
  phoneNumberIds: string[]
  accessToken: string
  appId: string
  appSecret: string
}

type Names = 'wabas.signUp' | 'wabas.onboard' | 'wabas.solutionIds' | 'wabas.solution' | 'wabas.chooseSolution'

export function signUpHandlers(deps: SignUpDeps): Pick<Handlers<typeof whatsappEndpoints>, Names> {
  const { META_SOLUTIONS: solutions, GRAPH_VERSION: graphVersion } = deps.config
  const app = signUpApp(deps.config)
  const choice = async (asSystem: RunTransaction) => ({
    solutionId: await asSystem((db) => getSolution(db, solutions)),
    solutions: [...solutions],
  })
  return {
    'wabas.signUp': {
      withoutTransaction: async ({ asSystem }) => ({
        appId: app?.configurationId ? app.appId : null,
        configurationId: app?.configurationId ?? null,
        graphVersion,
        solutionId: await asSystem((db) => getSolution(db, solutions)),
        ...(deps.demoAccount ? { demo: deps.demoAccount } : {}),
      }),
    },
    'wabas.onboard': {
      withoutTransaction: async (call) => {
        const { actor, scoped, asSystem, input } = call
        if (!app) throw conflict('This installation has no Meta app: connect the account manually')
        const signUp = providerOfAccounts('whatsapp').signUp?.(app, deps.io)
        if (!signUp) throw conflict('The provider has no sign-up: connect the account manually')
        const { accessToken } = await withProviderErrors(() => signUp.exchangeCode(input.body.code))
        const opened = await withProviderErrors(() => signUp.accountsOf(accessToken))
        const waba_id = input.body.waba_id ?? opened[0]
        if (waba_id === undefined || !opened.includes(waba_id))
          throw conflict('The sign-up did not grant access to this WhatsApp account: sign up again')
        const { appId, appSecret, apiUrl: graphUrl } = app
        const solutionId = await asSystem((db) => getSolution(db, solutions))
        const entered = { waba_id, accessToken, appId, appSecret, graphUrl, graphVersion, solutionId }
        const accountId = await scoped((db) => createConnection(db, { actor, input: entered, ...deps }))
        await runAutomaticSteps(deps, { transaction: scoped, actor, accountId })
        return getConnection(call, accountId, deps)
      },
    },
    'wabas.solutionIds': async () => [...solutions],
    'wabas.solution': { withoutTransaction: ({ asSystem }) => choice(asSystem) },
    'wabas.chooseSolution': {
      withoutTransaction: async ({ asSystem, actor, input }) => {
        await asSystem((db) => chooseSolution(db, solutions, { actor, solutionId: input.body.solutionId }))
        return choice(asSystem)
      },
    },
  }
}

/** This installation's own app, if it has one; without it, accounts are connected manually. */
function signUpApp(config: SignUpDeps['config']) {
  const { META_APP_ID, META_APP_SECRET, META_CONFIGURATION_ID, GRAPH_URL, GRAPH_VERSION } = config
  if (META_APP_ID === undefined || META_APP_SECRET === undefined) return undefined
  return {
    appId: META_APP_ID,
    appSecret: META_APP_SECRET,
    configurationId: META_CONFIGURATION_ID,
    apiUrl: GRAPH_URL,
    apiVersion: GRAPH_VERSION,
  }
}
