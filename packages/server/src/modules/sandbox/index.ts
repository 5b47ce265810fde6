/**
 * What test keys send. Nothing leaves the process and nothing is charged: the recipient's number decides what is reported. Test messages
 * have a table of their own, so that no list, report or limit has to exclude them.
 */
export { acceptTestSends, type TestSend } from './accept-test-sends.ts'
export { finalStepOf } from './fates.ts'
export { sandboxCron, sandboxJobs } from './forget-test-messages.ts'
export {
  cancelTestMessage,
  endTestLegs,
  findTestMessages,
  findTestStatuses,
  getTestMessage,
  listTestInbound,
  listTestMessages,
} from './read-test-messages.ts'
