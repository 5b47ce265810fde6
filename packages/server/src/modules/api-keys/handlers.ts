import type { apiKeyEndpoints } from '@carillon/contract/api-keys'
import type { Handlers } from '../../http/handlers.ts'
import type { ApiKeys } from './api-keys.ts'
import { forgetKey, forgetKeysWithConfig } from './authenticate-key.ts'
import { getConfig, listConfigs } from './find-configs.ts'
import { getKey, listKeys } from './find-keys.ts'
import { validateKey } from './validate-key.ts'
import { createConfig, deleteConfig, updateConfig } from './write-config.ts'
import { createKey, deactivateKey, regenerateKey, updateKey } from './write-key.ts'

type Part<Domain extends string> = Pick<
  Handlers<typeof apiKeyEndpoints>,
  Extract<keyof typeof apiKeyEndpoints, `${Domain}.${string}`>
>

export function apiKeyHandlers(keys: ApiKeys): Handlers<typeof apiKeyEndpoints> {
  return { ...keyHandlers(keys), ...configHandlers(keys) }
}

function keyHandlers(keys: ApiKeys): Part<'apiKeys'> {
  const { clock } = keys
  return {
    'apiKeys.list': ({ db, actor, input }) => listKeys(db, { actor, query: input.query, now: clock.now() }),
    'apiKeys.create': async ({ db, actor, input }) => {
      const now = clock.now()
      const { id, secret } = await createKey(db, { actor, wanted: input.body, now })
      return { ...(await getKey(db, { actor, id, now })), secret }
    },
    'apiKeys.validate': ({ db, actor, input }) => validateKey(db, { actor, question: input.body, now: clock.now() }),
    'apiKeys.update': async ({ db, actor, input, afterCommit }) => {
      const [{ id }, now] = [input.path, clock.now()]
      await updateKey(db, { actor, id, change: input.body, now })
      afterCommit(() => forgetKey(keys, id))
      return getKey(db, { actor, id, now })
    },
    'apiKeys.deactivate': async ({ db, actor, input, afterCommit }) => {
      afterCommit(() => forgetKey(keys, input.path.id))
      return deactivateKey(db, { actor, id: input.path.id, now: clock.now() })
    },
    'apiKeys.regenerate': async ({ db, actor, input, afterCommit }) => {
      const [{ id }, now] = [input.path, clock.now()]
      const { secret } = await regenerateKey(db, { actor, id, graceHours: input.body.graceHours, now })
      afterCommit(() => forgetKey(keys, id))
      return { ...(await getKey(db, { actor, id, now })), secret }
    },
  }
}

function configHandlers(keys: ApiKeys): Part<'keyConfigs'> {
  const { clock } = keys
  return {
    'keyConfigs.list': ({ db, actor, input }) => listConfigs(db, { actor, query: input.query }),
    'keyConfigs.create': async ({ db, actor, input }) =>
      getConfig(db, { actor, id: await createConfig(db, { actor, payload: input.body, now: clock.now() }) }),
    'keyConfigs.get': ({ db, actor, input }) => getConfig(db, { actor, id: input.path.id }),
    'keyConfigs.update': async ({ db, actor, input, afterCommit }) => {
      const { id } = input.path
      await updateConfig(db, { actor, id, payload: input.body, now: clock.now() })
      afterCommit(() => forgetKeysWithConfig(keys, id))
      return getConfig(db, { actor, id })
    },
    'keyConfigs.delete': async ({ db, actor, input }) => {
      await deleteConfig(db, { actor, id: input.path.id })
      return { id: input.path.id }
    },
  }
}
