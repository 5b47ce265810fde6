// Sets the remembered theme before the first paint; the rest of the theme lives in src/lib/theme.ts.
;(function () {
  try {
    if (localStorage.getItem('carillon.theme') === 'dark') document.documentElement.classList.add('dark')
  } catch {
    // Storage may be forbidden; the page is light then.
  }
})()
