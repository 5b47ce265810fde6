/** Waits for what another process or a job does; fails with its name after fifteen seconds. */
export async function until(check: () => Promise<boolean> | boolean, what = 'the condition'): Promise<void> {
  const deadline = Date.now() + 15_000
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
