import { ReadingPage } from './reading-page.tsx'

/** Privacy policy of this installation; its operator is responsible. */
export function PrivacyPage() {
  return (
    <ReadingPage title="Privacy policy">
      <p>
        Carillon runs on its operator’s own machines. Everything it stores stays there: accounts, contacts, messages and
        their reports. It sends nothing to the makers of the software.
      </p>
      <h2>What is stored</h2>
      <p>
        The names, email addresses and roles of accounts; phone numbers and the values uploaded with them; the messages
        sent to them and what the providers reported; who did what, and when.
      </p>
      <h2>Who receives it</h2>
      <p>
        The messaging provider that the operator chose receives each message and its recipient’s number, because it has
        to deliver it.
      </p>
      <h2>In this browser</h2>
      <p>
        The session ends with the tab. The chosen theme, the sidebar, the look of tables and dismissed notices are
        remembered. There is no tracking.
      </p>
      <h2>Your rights</h2>
      <p>Ask the operator of this installation for a copy of your data, its correction or its deletion.</p>
    </ReadingPage>
  )
}
