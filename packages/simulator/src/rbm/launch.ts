import { randomUUID } from 'node:crypto'
import { carriers, isCarrier } from './carriers.ts'
import type { Agent, LaunchState, Launch } from './objects.ts'
import { timestamp } from './outbox.ts'
import type { Rbm } from './rbm.ts'
import { RbmError } from './rbm-error.ts'

/** Allowed transitions; a first launch begins as PENDING. */
const nextStates: Record<LaunchState, readonly LaunchState[]> = {
  UNSPECIFIED: ['PENDING'],
  PENDING: ['LAUNCHED', 'REJECTED'],
  LAUNCHED: ['SUSPENDED'],
  SUSPENDED: ['LAUNCHED', 'UNLAUNCHED'],
  UNLAUNCHED: ['PENDING'],
  REJECTED: ['PENDING'],
}

/** Requests the launch with carriers; each decides after a while. */
export function requestLaunch(rbm: Rbm, agent: Agent, regions: string[]) {
  for (const region of regions)
    if (!isCarrier(region)) throw new RbmError('INVALID_ARGUMENT', `There is no region /v1/regions/${region}`)
  for (const region of regions) {
    const state = agent.launches.get(region)?.state ?? 'UNSPECIFIED'
    // A request names the regions of earlier launches as well.
    if (!nextStates[state].includes('PENDING')) continue
    changeLaunch(rbm, agent, { region, state: 'PENDING' })
    awaitCarrier(rbm, agent, region)
  }
}

function awaitCarrier(rbm: Rbm, agent: Agent, region: string) {
  if (carriers.find(({ id }) => id === region)?.isSlow) return
  const requested = agent.launches.get(region)
  rbm.simulation.scheduler.after(rbm.settings.launchMs, () => {
    if (agent.launches.get(region) !== requested) return
    const isRejected = /reject/i.test(agent.displayName)
    changeLaunch(rbm, agent, {
      region,
      state: isRejected ? 'REJECTED' : 'LAUNCHED',
      comment: isRejected ? 'The opt-out description does not meet our rules' : '',
    })
  })
}

export type LaunchChange = { region: string; state: LaunchState; comment?: string | undefined }

/** Changes the state with one carrier and reports it. Throws for a change that does not exist. */
export function changeLaunch(rbm: Rbm, agent: Agent, { region, state, comment = '' }: LaunchChange) {
  const before = agent.launches.get(region)?.state ?? 'UNSPECIFIED'
  if (!nextStates[before].includes(state))
    throw new RbmError('FAILED_PRECONDITION', `A launch that is ${before} cannot become ${state}`)
  agent.launches.set(region, { state, comment, updatedAtMs: Date.now() })
  rbm.outbox.post({
    agent,
    type: 'agent_launch_event',
    data: {
      eventId: randomUUID(),
      agentId: agent.id,
      botDisplayName: agent.displayName,
      brandId: agent.brandId,
      brandDisplayName: rbm.directory.brands.get(agent.brandId)?.displayName,
      regionId: `/v1/regions/${region}`,
      oldLaunchState: before,
      newLaunchState: state,
      actingParty: actingParty(region, state),
      comment,
      sendTime: timestamp(),
    },
  })
}

function actingParty(region: string, state: LaunchState): string {
  if (state === 'PENDING') return 'PARTNER'
  return carriers.find(({ id }) => id === region)?.isGoogleManaged ? 'GOOGLE' : 'CARRIER'
}

export function presentLaunches(launches: Map<string, Launch>) {
  return Object.fromEntries(
    [...launches].map(([region, { state, comment, updatedAtMs }]) => [
      `/v1/regions/${region}`,
      { launchState: `LAUNCH_STATE_${state}`, updateTime: timestamp(updatedAtMs), ...(comment ? { comment } : {}) },
    ]),
  )
}

/** Verifies the agent's business after a while. */
export function requestVerification(rbm: Rbm, agent: Agent) {
  if (agent.verification === 'VERIFIED' || agent.verification === 'PENDING')
    throw new RbmError('FAILED_PRECONDITION', `The verification of the agent is ${agent.verification}`)
  agent.verification = 'PENDING'
  awaitVerification(rbm, agent)
}

function awaitVerification(rbm: Rbm, agent: Agent) {
  rbm.simulation.scheduler.after(rbm.settings.reviewMs, () => {
    if (agent.verification === 'PENDING')
      agent.verification = /reject/i.test(agent.displayName) ? 'REJECTED' : 'VERIFIED'
  })
}

/** Restarts the reviews that a reset or a restart ended. */
export function resumeReviews(rbm: Rbm) {
  for (const agent of rbm.directory.agents.values()) {
    if (agent.verification === 'PENDING') awaitVerification(rbm, agent)
    for (const [region, { state }] of agent.launches) if (state === 'PENDING') awaitCarrier(rbm, agent, region)
  }
}
