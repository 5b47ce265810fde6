/** Whether the open record is not among the rows of the page that is shown, as after a search or a link to it. */
export function isElsewhere(openId: string | undefined, ids: readonly string[] | undefined): openId is string {
  return openId !== undefined && ids !== undefined && !ids.includes(openId)
}
