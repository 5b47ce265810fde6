import type { ApiKey } from '@carillon/contract/api-key-records'

export type KeyAction = { kind: 'edit' | 'regenerate' | 'deactivate'; apiKey: ApiKey }
