/** How long what the engine issues lives, in seconds (auth.md 2.1). */
export const lives = {
  accessToken: 3_600,
  code: 60,
  refreshToken: 30 * 86_400,
  grant: 315_360_000,
  interaction: 600,
}
