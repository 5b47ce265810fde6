import { requireKebab, toPascal, toTitle, type Scaffold } from './scaffold.ts'

/** `feature support`: the folder of a screen with its page and its states for the gallery. */
export function scaffoldFeature([given]: string[]): Scaffold {
  const name = requireKebab(given, 'A feature')
  const page = `${toPascal(name)}Page`
  const folder = `packages/web/src/features/${name}`
  return {
    files: {
      [`${folder}/texts.ts`]: `/** Texts of this feature. */\nexport const texts = {\n  title: '${toTitle(name)}',\n} as const\n`,
      [`${folder}/${name}-page.tsx`]: `import { Page } from '../../ui/page.tsx'
import { texts } from './texts.ts'

export function ${page}() {
  return (
    <Page title={texts.title}>
      <p>Nothing here yet</p>
    </Page>
  )
}
`,
      [`${folder}/${name}-page.gallery.tsx`]: `import type { Gallery } from '../../app/gallery/gallery-page.tsx'
import { ${page} } from './${name}-page.tsx'

export const gallery: Gallery = {
  title: '${toTitle(name)}',
  states: { empty: () => <${page} /> },
}
`,
    },
    insertions: [],
    todo: [
      `packages/web/src/app/routes.tsx: { path: '${name}', title: '${toTitle(name)}', roles: members, component: lazyRouteComponent(() => import('../features/${name}/${name}-page.tsx'), '${page}') }`,
      'packages/web/src/app/shell/navigation.ts: its line in the sidebar, if it has one',
      'A journey in e2e/',
    ],
  }
}
