import type { otpEndpoints } from '@carillon/contract/otp'
import type { UserActor } from '../../../actor.ts'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { Handlers } from '../../../http/handlers.ts'
import type { Clock } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secrets.ts'
import { getOtp, verifyOtp, type PublicOtp } from './otp.ts'
import { resendOtp, sendOtp, type OtpContext } from './send-otp.ts'

export type OtpDeps = { clock: Clock; secretBox: SecretBox; publicUrl(): string }

export function otpHandlers({ clock, secretBox, publicUrl }: OtpDeps): Handlers<typeof otpEndpoints> {
  type Sending = { actor: UserActor; scoped: RunTransaction }
  /** A problem that was returned is answered after the commit. */
  async function sending(
    { actor, scoped }: Sending,
    work: (db: Db, context: OtpContext) => Promise<PublicOtp | Problem>,
  ) {
    const context = { actor, secretBox, publicUrl: publicUrl(), now: clock.now() }
    const result = await scoped((db) => work(db, context))
    if (result instanceof Problem) throw result
    return result
  }
  return {
    'otp.send': {
      withoutTransaction: (call) => sending(call, (db, context) => sendOtp(db, context, call.input.body)),
    },
    'otp.get': ({ db, actor, input }) => getOtp(db, { actor, id: input.path.id, now: clock.now() }),
    'otp.verify': ({ db, actor, input }) =>
      verifyOtp(db, { actor, id: input.path.id, code: input.body.code, secretBox, now: clock.now() }),
    'otp.resend': {
      withoutTransaction: (call) =>
        sending(call, (db, context) => resendOtp(db, context, { id: call.input.path.id, wording: call.input.body })),
    },
  }
}
