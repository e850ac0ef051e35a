// Tells a director that the tournament has gone on since the page was made; what is being written is left alone.

import { Stream } from "./stream.js";

const news = document.getElementById("news");
new Stream(`/v1/tournaments/${news.dataset.tournament}/events`, Number(news.dataset.version), () => (news.hidden = false)).whileSeen();
