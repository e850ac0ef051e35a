// Tells a director that the tournament has changed since the page was rendered; leaves the forms alone.

import { Stream } from "./stream.js";

const news = document.getElementById("news");
new Stream(`/v1/tournaments/${news.dataset.tournament}/events`, Number(news.dataset.version), () => (news.hidden = false)).whileVisible();
