import './lib/strict-zod.ts'
import './app/styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { ScreenSpinner } from './app/screen-spinner.tsx'
import { layoutAnimationSeconds } from './lib/constants.ts'
import { askForSession } from './lib/shared-session.ts'
import { AfterDelay } from './ui/skeleton.tsx'

const place = document.getElementById('root')
if (!place) throw new Error('The page has no #root')
document.documentElement.style.setProperty('--layout-duration', `${layoutAnimationSeconds}s`)

const root = createRoot(place)
root.render(
  <AfterDelay ms={400}>
    <ScreenSpinner />
  </AfterDelay>,
)

// A URL typed into a new tab is checked only after other tabs could share their session.
void askForSession().then(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
