import { ReadingPage } from './reading-page.tsx'

/** States what is and what is not certified. */
export function SecurityPage() {
  return (
    <ReadingPage title="Security and certifications">
      <p>
        The software itself holds no certificate. Whether the organisation that runs this installation is certified, and
        for what, only that organisation can say.
      </p>
      <h2>What the software does</h2>
      <p>
        Passwords are hashed with Argon2id. Sessions are random tokens, kept as hashes and revocable at once. Each
        organisation’s data is separated in the database by row level security. Provider credentials are encrypted at
        rest. Pages run only their own scripts.
      </p>
      <h2>Reporting a vulnerability</h2>
      <p>Tell the operator of this installation, or the project, before you publish it.</p>
    </ReadingPage>
  )
}
