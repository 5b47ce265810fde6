/**
 * Generates files from the contract and the settings; with --check only reports differences.
 * routes.gen.ts is for the web app, api.md, errors.md and configuration.md are documentation.
 */
import { endpoints } from '@carillon/contract'
import { Settings } from '@carillon/server/config'
import { writeApiPage } from './docs/api-page.ts'
import { writeConfigurationPage } from './docs/configuration-page.ts'
import { writeErrorsPage } from './docs/errors-page.ts'
import { writePublicRoutes, writeRoutes } from './docs/routes.ts'
import { writeGenerated } from './docs/write-generated.ts'

writeGenerated({
  'packages/contract/src/routes.gen.ts': writeRoutes(endpoints),
  'packages/contract/src/public-routes.gen.ts': writePublicRoutes(endpoints),
  'docs/api.md': writeApiPage(endpoints),
  'docs/errors.md': writeErrorsPage(),
  'docs/configuration.md': writeConfigurationPage(Settings),
})
