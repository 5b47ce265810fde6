/** Named points at which crash tests can kill the process. */
export type FailPoint =
  | 'after-lease'
  | 'before-watermark'
  | 'after-watermark'
  | 'mid-wire'
  | 'after-wire'
  | 'before-record'
  | 'after-record'
  | 'partly-recorded'
  | 'all-handed-over'
  | 'before-done'
  | 'after-capture'
  | 'before-events'
  | 'after-events'
  | 'priority-after-claim'
  | 'priority-after-wire'
  | 'retry-after-claim'
  | 'after-gather'
  | 'revoke-after-claim'
  | 'revoke-after-wire'
  | 'revoke-after-record'
  | 'move-before-entries'
  | 'move-after-entries'
  | 'accept-before-commit'
  | 'accept-after-commit'
  | 'call-committed'
  | 'conversation-opened'
  | 'conversation-charged'
  | 'before-events-are-done'
  | 'webhook-after-wire'
  | 'webhook-before-record'
  | 'report-schedule-claimed'

/** From FAIL_POINTS=name:kill[:nth],…: remaining passes until the process kills itself at the point. */
const armed = parseFailPoints(process.env['FAIL_POINTS'])

/** Does nothing unless a crash test enabled this point. */
export function failPoint(name: FailPoint): void {
  if (armed === undefined) return
  const left = armed.get(name)
  if (left === undefined) return
  if (left > 1) armed.set(name, left - 1)
  else process.kill(process.pid, 'SIGKILL')
}

export function parseFailPoints(text: string | undefined): Map<string, number> | undefined {
  if (!text) return undefined
  return new Map(
    text.split(',').map((entry) => {
      const [name, action, nth = '1'] = entry.trim().split(':')
      if (!name || action !== 'kill' || !/^[1-9]\d*$/.test(nth)) {
        throw new Error(`FAIL_POINTS: "${entry}" is not name:kill or name:kill:nth`)
      }
      return [name, Number(nth)]
    }),
  )
}
