import type { Answer } from '@carillon/contract/endpoint'
import type { smppCredentialEndpoints } from '@carillon/contract/smpp-credentials'
import type { Handlers } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { getCredential, listCredentials } from './find-credentials.ts'
import { changePassword, createCredential, deactivateCredential, updateCredential } from './write-credential.ts'

type Calls = typeof smppCredentialEndpoints
type Deps = {
  clock: Clock
  secretBox: SecretBox
  /** Where customers connect; null if the installation does not offer SMPP. */
  smppService(): Answer<Calls['smppCredentials.list']>['service']
}

export function smppCredentialHandlers({ clock, secretBox, smppService }: Deps): Handlers<Calls> {
  return {
    'smppCredentials.list': async ({ db, actor, input }) => ({
      service: smppService(),
      credentials: await listCredentials(db, { actor, apiKeyId: input.query.apiKeyId }),
    }),
    'smppCredentials.create': async ({ db, actor, input }) => {
      const { id, password } = await createCredential(db, { actor, wanted: input.body, secretBox })
      return { ...(await getCredential(db, { actor, id })), password }
    },
    'smppCredentials.update': async ({ db, actor, input }) => {
      const { id } = input.path
      await updateCredential(db, { actor, id, change: input.body })
      return getCredential(db, { actor, id })
    },
    'smppCredentials.newPassword': async ({ db, actor, input }) => {
      const { id, password } = await changePassword(db, { actor, id: input.path.id, secretBox })
      return { ...(await getCredential(db, { actor, id })), password }
    },
    'smppCredentials.deactivate': ({ db, actor, input }) =>
      deactivateCredential(db, { actor, id: input.path.id, now: clock.now() }),
  }
}
