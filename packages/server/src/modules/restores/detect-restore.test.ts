import { expect, test } from 'vitest'
import { detectRestore, type Installation, type KnownState } from './detect-restore.ts'

const identity = { systemIdentifier: '7710801579111447507', timeline: '00000001', databaseOid: 16_384 }
const database: Installation = {
  incarnation: 'b',
  confirmed: ['a'],
  counter: 100,
  hasSent: true,
  hasWork: true,
  recorded: identity,
  live: identity,
  lanesBehind: 0,
}
const known: KnownState = {
  position: { incarnation: 'b', counter: 100, epochs: {} },
  isEmbedded: true,
  trustsFailover: false,
}
const position = (counter: number, more: object = {}) => ({
  position: { incarnation: 'b', counter, epochs: {}, isCopy: false, ...more },
})
const live = (more: object) => ({ live: { ...identity, ...more } })
const elsewhere = { isEmbedded: false }

test.each<[string, Partial<Installation>, Partial<KnownState>, string | undefined]>([
  ['a restart', {}, {}, undefined],
  ['a crash before the file was written', {}, position(99), undefined],
  ['an older copy beside a newer file', {}, position(101), 'database_behind'],
  ['an older copy under a process that runs', {}, { ...position(101), ...elsewhere }, 'database_behind'],
  ['lanes at epochs that were passed before', { lanesBehind: 1 }, {}, 'database_behind'],
  ['a copied data folder', {}, position(100, { isCopy: true }), 'copied_folder'],
  [
    'a copied data folder whose database was copied later',
    { counter: 120 },
    position(100, { isCopy: true }),
    'copied_folder',
  ],
  [
    'a copy of a folder beside a server that went on',
    { counter: 120 },
    { ...position(100, { isCopy: true }), ...elsewhere },
    undefined,
  ],
  ['folder and server restored together', {}, { ...position(100, { isCopy: true }), ...elsewhere }, 'copied_folder'],
  ['a dump restored to another server', live({ systemIdentifier: '1', databaseOid: 5 }), elsewhere, 'other_server'],
  ['a dump restored to another database', live({ databaseOid: 5 }), elsewhere, 'other_database'],
  ['a restore to a point in time', live({ timeline: '00000002' }), elsewhere, 'new_timeline'],
  ['a failover that loses nothing', live({ timeline: '00000002' }), { ...elsewhere, trustsFailover: true }, undefined],
  [
    'a failover that lost something',
    live({ timeline: '00000002' }),
    { ...position(101), ...elsewhere, trustsFailover: true },
    'database_behind',
  ],
  ['a server that does not tell its timeline', live({ timeline: null, systemIdentifier: null }), elsewhere, undefined],
  ['a new process with a folder of its own', {}, { ...elsewhere, position: undefined }, undefined],
  ['a database restored into an empty data folder', {}, { position: undefined }, 'missing_state'],
  ['a file of the time before a confirmed restore', {}, position(500, { incarnation: 'a' }), undefined],
  ['a backup of the time before a confirmed restore', {}, position(1, { incarnation: 'c' }), 'other_history'],
  ['a new installation', { hasSent: false }, { position: undefined }, undefined],
  ['a version that kept no history, updated', { hasSent: false }, { position: undefined }, undefined],
  [
    'a backup of such a version beside a newer file',
    { hasSent: false },
    position(100, { incarnation: 'x' }),
    'other_history',
  ],
  [
    'a new database beside the file of another',
    { hasSent: false, hasWork: false },
    position(100, { incarnation: 'x' }),
    undefined,
  ],
])('%s', (_, installation, more, reason) => {
  expect(detectRestore({ ...database, ...installation }, { ...known, ...more })).toBe(reason)
})
