import type { World } from './world.ts'

/** Calls the control API of the simulator: with a body to change something. */
export async function callSimulator(
  { simulatorPorts }: Pick<World, 'simulatorPorts'>,
  path: string,
  body?: Record<string, unknown>,
): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${simulatorPorts.http}${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`The simulator refused ${path}: ${await answer.text()}`)
  return answer.json()
}
