/* Search of a site that is opened from a folder: browsers start no worker there, so a hidden frame does its work. */
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      this.waiting = []
      const frame = document.createElement("iframe")
      frame.hidden = true
      frame.title = "search"
      frame.srcdoc = `<!doctype html><script src="${url}" defer></scr` + "ipt>"
      frame.addEventListener("load", () => {
        this.frame = frame.contentWindow
        this.frame.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
        this.waiting.splice(0).forEach(data => this.postMessage(data))
      })
      document.addEventListener("DOMContentLoaded", () => document.body.appendChild(frame))
      if (document.body) document.body.appendChild(frame)
    }

    postMessage(data) {
      if (this.frame) this.frame.dispatchEvent(new MessageEvent("message", { data }))
      else this.waiting.push(data)
    }
  }
  window.Worker = window.IFrameWorker
}
