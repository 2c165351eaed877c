// Preloaded into a service: SIGUSR2 holds its event loop for 2 s, as a slow regular expression would.
process.on('SIGUSR2', () => {
  const endMs = performance.now() + 2_000
  while (performance.now() < endMs);
})
