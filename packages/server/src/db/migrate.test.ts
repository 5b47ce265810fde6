import { expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'

test('rejects a migration changed after it was applied, except for the first one, which created the roles', async () => {
  const { database, url, drop } = await testDatabase()
  const applied = async (name: string, checksum: string) => {
    await database.ownerPool.query('update schema_migrations set checksum = $2 where name = $1', [name, checksum])
    return migrate(url)
  }
  await applied('0001_accounts.sql', '153dc987d1850a0a0df4e85dbc7845a349566dc58f944678e275e4b14d5db4b6')
  await expect(applied('0002_money.sql', 'another')).rejects.toThrow(
    '0002_money.sql was changed after it was applied: migrations are forward only',
  )
  await drop()
})
