import { z } from 'zod'
import { Id, IdPath } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'
import {
  defaultSmppSessions,
  NewSmppCredential,
  SmppCredential,
  SmppCredentialInput,
  SmppService,
} from './smpp-credential-records.ts'

const call = { roles: anyRole, module: 'api', addition: true } as const
/** Impersonating sessions and API keys change no credentials. */
const write = { ...call, impersonation: false, path: IdPath, required: { id: 'Credential ID is required.' } } as const

/** Credentials for SMPP. Managers see those of the whole organisation, others their own and those below. */
export const smppCredentialEndpoints = defineEndpoints({
  'smppCredentials.list': {
    ...call,
    route: 'GET /api/ums/v1/smpp-credentials',
    summary:
      'Where customers connect by SMPP, and the credentials of the caller and of accounts below, newest first; deactivated ones last',
    query: z.object({ apiKeyId: Id.optional() }),
    data: z.object({
      /** Null if the installation does not offer SMPP. */
      service: SmppService.nullable(),
      credentials: z.array(SmppCredential),
    }),
    fallback: 'Failed to fetch SMPP credentials',
  },
  'smppCredentials.create': {
    ...call,
    impersonation: false,
    route: 'POST /api/ums/v1/smpp-credentials',
    summary: 'Create SMPP credentials for one’s own API key; the response shows the password once',
    body: SmppCredentialInput.extend({
      apiKeyId: Id,
      maximumSessions: SmppCredentialInput.shape.maximumSessions.default(defaultSmppSessions),
    }),
    data: NewSmppCredential,
    fallback: 'Failed to create SMPP credentials',
    answersSecret: true,
  },
  'smppCredentials.update': {
    ...write,
    route: 'PUT /api/ums/v1/smpp-credentials/{id}',
    summary: 'Change the addresses or the number of sessions of one’s own SMPP credentials, within 5 seconds',
    body: SmppCredentialInput.partial(),
    data: SmppCredential,
    fallback: 'Failed to update SMPP credentials',
  },
  'smppCredentials.newPassword': {
    ...write,
    route: 'POST /api/ums/v1/smpp-credentials/{id}/password',
    summary:
      'Give one’s own SMPP credentials a new password, which the response shows once. The previous one ends at once; bound sessions stay',
    body: z.strictObject({}),
    data: NewSmppCredential,
    fallback: 'Failed to create a new password',
    answersSecret: true,
  },
  'smppCredentials.deactivate': {
    ...write,
    route: 'DELETE /api/ums/v1/smpp-credentials/{id}',
    summary:
      'Deactivate SMPP credentials of the caller or of an account below for good, within 5 seconds. Receipts that wait are deleted',
    data: z.object({ id: Id, deactivatedAt: z.string() }),
    fallback: 'Failed to deactivate SMPP credentials',
  },
})
