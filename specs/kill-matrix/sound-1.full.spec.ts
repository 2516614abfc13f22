import { holdSoundStyle, holdSoundVariants } from './sound.js'

holdSoundStyle(0)
holdSoundVariants(0)
