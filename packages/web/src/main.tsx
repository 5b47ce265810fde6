import './lib/strict-zod.ts'
import './app/styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { askForSession } from './lib/shared-session.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

function draw(place: HTMLElement) {
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

// An address typed into a new tab is judged only once the other tabs could hand their session over.
void askForSession().then(() => draw(root))
