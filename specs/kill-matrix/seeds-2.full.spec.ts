import { holdSeeds } from './seeds.js'

holdSeeds(1)
