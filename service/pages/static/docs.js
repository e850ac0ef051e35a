// Sends the forms of the API page and shows the answers.

import { byId } from "./elements_by_id.js";

const token = byId("token", HTMLInputElement);
token.value = sessionStorage.getItem("token") ?? "";
token.addEventListener("change", () => sessionStorage.setItem("token", token.value));

for (const form of document.querySelectorAll("form[data-path]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

async function send(form) {
  const output = form.querySelector("output");
  output.textContent = "...";
  try {
    const [path, options] = request(form);
    const response = await fetch(path, options);
    output.textContent = `${response.status} ${response.statusText}\n${headers(response)}\n\n${await body(response)}`;
  } catch (problem) {
    output.textContent = `not sent: ${problem.message}`;
  }
}

function request(form) {
  const query = new URLSearchParams();
  const options = { method: form.dataset.method, headers: {} };
  let path = form.dataset.path;
  if (token.value) options.headers.Authorization = `Bearer ${token.value}`;
  const put = {
    path: (name, value) => { path = path.replace(`{${name}}`, encodeURIComponent(value)); },
    query: (name, value) => query.append(name, value),
    header: (name, value) => { options.headers[name] = value; },
    body: (_, value) => {
      options.body = JSON.stringify(JSON.parse(value));
      options.headers["Content-Type"] = "application/json";
    },
  };
  for (const field of form.elements) {
    if (field.dataset.in && field.value) put[field.dataset.in]?.(field.name, field.value);
  }
  return [query.size ? `${path}?${query}` : path, options];
}

function headers(response) {
  return [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
}

async function body(response) {
  const text = await response.text();
  const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
  return isJson && text ? JSON.stringify(JSON.parse(text), null, 2) : text;
}
