import { holdSoundStyle, holdSoundVariants } from './sound.js'

holdSoundStyle(1)
holdSoundVariants(1)
