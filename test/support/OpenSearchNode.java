import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One node of OpenSearch on loopback, which ends with its standard input. */
public class OpenSearchNode {
  /** @param args name, port of HTTP, port of the others, ports of all nodes by commas, their names, folder, plugin or none */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild(
        (index, settings) -> {
          settings.put("node.name", args[0]);
          settings.put("network.host", "127.0.0.1");
          settings.put("http.port", port);
          settings.put("transport.port", Integer.parseInt(args[2]));
          settings.putList("discovery.seed_hosts", args[3].split(","));
          settings.putList("cluster.initial_cluster_manager_nodes", args[4].split(","));
          settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
        });
    // Else it takes high ports for unavailable.
    runner.setMaxHttpPort(65535);
    runner.build(
        OpenSearchRunner.newConfigs()
            .pluginTypes(args.length > 6 ? args[6] : "")
            .clusterName("latchkey-" + args[3].hashCode())
            .numOfNode(1)
            .basePath(args[5])
            .baseHttpPort(port - 1)
            .useLogger()
            .disableESLogger());
    while (System.in.read() >= 0) {
      Thread.onSpinWait();
    }
    Runtime.getRuntime().halt(0);
  }
}
