/** Why a report fails, in words for the account that requested it. */
export class ReportFailure extends Error {
  override name = 'ReportFailure'
}
