import Dashboards

await LandfallProgram.main()
