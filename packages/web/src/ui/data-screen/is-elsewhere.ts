/** Whether the open record is not on the current page, as after a search or through a link. */
export function isElsewhere(openId: string | undefined, ids: readonly string[] | undefined): openId is string {
  return openId !== undefined && ids !== undefined && !ids.includes(openId)
}
