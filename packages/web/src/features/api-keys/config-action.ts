import type { KeyConfig } from '@carillon/contract/key-config-records'

export type ConfigAction = { kind: 'create' } | { kind: 'edit' | 'delete'; config: KeyConfig }
