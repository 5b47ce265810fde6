import type { brandEndpoints } from '@carillon/contract/brands'
import type { Handlers } from '../../http/handlers.ts'
import type { FileStore } from '../files/index.ts'
import { findRegistrar } from '../users/index.ts'
import { findBrandAbove, findBrandOfHost, presentBrand } from './find-brand.ts'
import { openLogo, removeLogo, setLogo } from './logo.ts'
import { ensureBrand, getOwnBrand, setOwnBrand } from './set-brand.ts'

export type BrandDeps = {
  files: FileStore
  /** The installation's own host name, if set. */
  reservedHost: string | undefined
}

export function brandHandlers({ files, reservedHost }: BrandDeps): Handlers<typeof brandEndpoints> {
  const forget = (key: string | undefined) => () => (key ? files.remove(key).catch(() => undefined) : undefined)
  return {
    'brand.current': async ({ db, actor }) => presentBrand(await findBrandAbove(db, actor.scope.path), false),
    'brand.ofHost': async ({ db, client }) =>
      presentBrand(await findBrandOfHost(db, client.host), (await findRegistrar(db, client.host)) !== undefined),
    'brand.logo': ({ db, input }) => openLogo(db, files, input.path.id),
    'brand.get': ({ db, actor }) => getOwnBrand(db, actor),
    'brand.set': ({ db, actor, input }) => setOwnBrand(db, { actor, brand: input.body, reservedHost }),
    'brand.setLogo': async ({ db, actor, files: uploads, afterCommit }) => {
      await ensureBrand(db, actor)
      const { id, replaced } = await setLogo(db, files, { actor, upload: uploads['logo'] })
      // If lost in a crash, the nightly sweep removes the bytes.
      afterCommit(forget(replaced))
      return { logo: `/api/v1/brand/logo/${id}` }
    },
    'brand.removeLogo': async ({ db, actor, afterCommit }) => {
      afterCommit(forget(await removeLogo(db, actor)))
      return {}
    },
  }
}
