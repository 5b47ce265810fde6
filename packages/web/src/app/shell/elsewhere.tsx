import { NotFound } from '../not-found-page.tsx'
import { screens } from '../routes.tsx'
import { DeniedPage } from './denied-page.tsx'
import { useAreaPath } from './use-area-path.ts'

/** A path for which the role has no screen: access denied if another role has one, else not found. */
export function Elsewhere() {
  const path = useAreaPath()
  const screen = screens.find((candidate) => candidate.path === path)
  if (!screen) return <NotFound />
  return <DeniedPage title={screen.title}>Your role does not include this page. Ask your account manager.</DeniedPage>
}
