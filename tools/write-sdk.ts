/** Generates the calls and types of the SDK from the contract; with --check only reports a difference. */
import { endpoints } from '@carillon/contract'
import { createTypePrinter } from './docs/sdk-types.ts'
import { writeSdkCalls } from './docs/sdk-calls.ts'
import { writeGenerated } from './docs/write-generated.ts'

writeGenerated({ 'packages/sdk/src/calls.gen.ts': writeSdkCalls(endpoints, await createTypePrinter()) })
