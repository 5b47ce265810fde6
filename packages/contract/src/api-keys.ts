import { z } from 'zod'
import {
  ApiEnvironment,
  ApiKey,
  ApiKeyInput,
  ApiKeyProblem,
  ApiKeyStatus,
  defaultGraceHours,
  maximumGraceHours,
  NewApiKey,
} from './api-key-records.ts'
import { ApiScope } from './api-scopes.ts'
import { Id, IdPath } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { KeyConfig, KeyConfigPayload } from './key-config-records.ts'
import { PageQuery, Pagination } from './paging.ts'
import { anyRole } from './roles.ts'

const call = { roles: anyRole, module: 'api' } as const
/** Impersonating sessions and API keys change no keys. */
const write = { ...call, impersonation: false } as const
const ofKey = { path: IdPath, required: { id: 'API key ID is required.' } } as const
const ofConfig = { path: IdPath, required: { id: 'Key config ID is required.' } } as const

/** API keys and their configs. Managers see those of the whole organisation, others their own and those below. */
export const apiKeyEndpoints = defineEndpoints({
  'apiKeys.list': {
    ...call,
    route: 'GET /api/ums/v1/api-keys',
    summary: 'API keys of the caller and of accounts below, newest first; deactivated ones last',
    query: PageQuery.extend({
      search: z.string().trim().max(80).optional(),
      status: ApiKeyStatus.optional(),
      environment: ApiEnvironment.optional(),
    }),
    data: z.object({ data: z.array(ApiKey), pagination: Pagination }),
    fallback: 'Failed to fetch API keys',
  },
  'apiKeys.create': {
    ...write,
    route: 'POST /api/ums/v1/api-keys',
    summary: 'Create an API key of the caller; the response shows it once',
    body: ApiKeyInput.extend({
      environment: ApiEnvironment,
      keyConfigId: ApiKeyInput.shape.keyConfigId.default(null),
      ipAllowlist: ApiKeyInput.shape.ipAllowlist.default([]),
      expiresAt: ApiKeyInput.shape.expiresAt.default(null),
    }),
    data: NewApiKey,
    fallback: 'Failed to create API key',
    answersSecret: true,
  },
  'apiKeys.validate': {
    ...call,
    route: 'POST /api/ums/v1/api-keys/validate',
    summary:
      'Whether an API key is accepted, optionally from an address or for a scope. Keys outside the caller’s scope are unknown',
    body: z.strictObject({
      key: z.string().trim().min(1).max(200),
      ip: z.union([z.ipv4(), z.ipv6()], 'Enter an address such as 203.0.113.7').optional(),
      scope: ApiScope.optional(),
    }),
    data: z.object({
      valid: z.boolean(),
      /** Absent if the key is valid. */
      reason: ApiKeyProblem.optional(),
      /** This and all others are absent if the key is unknown. */
      keyId: Id.optional(),
      environment: ApiEnvironment.optional(),
      scopes: z.array(ApiScope).optional(),
      account: z.object({ _id: Id, name: z.string() }).optional(),
      expiresAt: z.string().nullable().optional(),
    }),
    fallback: 'Failed to validate API key',
  },
  'apiKeys.update': {
    ...write,
    ...ofKey,
    route: 'PUT /api/ums/v1/api-keys/{id}',
    summary: 'Change name, scopes, config, addresses or expiry of one’s own API key, within 5 seconds',
    body: ApiKeyInput.partial(),
    data: ApiKey,
    fallback: 'Failed to update API key',
  },
  'apiKeys.deactivate': {
    ...write,
    ...ofKey,
    route: 'DELETE /api/ums/v1/api-keys/{id}',
    summary: 'Deactivate an API key of the caller or of an account below for good, within 5 seconds',
    data: z.object({ id: Id, deactivatedAt: z.string() }),
    fallback: 'Failed to delete API key',
  },
  'apiKeys.regenerate': {
    ...write,
    ...ofKey,
    route: 'POST /api/ums/v1/api-keys/{id}/regenerate',
    summary:
      'Give one’s own API key a new secret, which the response shows once. The previous one stays valid for some hours; the one before it ends',
    body: z.strictObject({ graceHours: z.number().int().min(0).max(maximumGraceHours).default(defaultGraceHours) }),
    data: NewApiKey,
    fallback: 'Failed to regenerate API key',
    answersSecret: true,
  },
  'keyConfigs.list': {
    ...call,
    route: 'GET /api/ums/v1/key-configs',
    summary: 'Key configs of the caller and of accounts below, by name',
    query: PageQuery.extend({ search: z.string().trim().max(80).optional() }),
    data: z.object({ data: z.array(KeyConfig), pagination: Pagination }),
    fallback: 'Failed to fetch key configs',
  },
  'keyConfigs.create': {
    ...write,
    route: 'POST /api/ums/v1/key-configs',
    summary: 'Create a key config of the caller',
    body: KeyConfigPayload,
    data: KeyConfig,
    fallback: 'Failed to create key config',
  },
  'keyConfigs.get': {
    ...call,
    ...ofConfig,
    route: 'GET /api/ums/v1/key-configs/{id}',
    summary: 'One key config',
    data: KeyConfig,
    fallback: 'Failed to fetch key config details',
  },
  'keyConfigs.update': {
    ...write,
    ...ofConfig,
    route: 'PUT /api/ums/v1/key-configs/{id}',
    summary: 'Replace one’s own key config; its keys follow it within 5 seconds',
    body: KeyConfigPayload,
    data: KeyConfig,
    fallback: 'Failed to update key config',
  },
  'keyConfigs.delete': {
    ...write,
    ...ofConfig,
    route: 'DELETE /api/ums/v1/key-configs/{id}',
    summary: 'Delete one’s own key config, if no key uses it',
    data: z.object({ id: Id }),
    fallback: 'Failed to delete key config',
  },
})
