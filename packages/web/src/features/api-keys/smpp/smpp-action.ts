import type { EndpointName } from '@carillon/contract'
import type { ApiKey } from '@carillon/contract/api-key-records'
import type { SmppCredential } from '@carillon/contract/smpp-credential-records'

export type SmppAction =
  | { kind: 'create'; apiKey: ApiKey }
  | { kind: 'edit' | 'password' | 'deactivate'; credential: SmppCredential }

export const smppReads = ['smppCredentials.list'] as const satisfies readonly EndpointName[]
